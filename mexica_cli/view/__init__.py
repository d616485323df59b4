"""What people look at: tables, live lines, and positions as text. `pictures` knows which game is drawn how."""
