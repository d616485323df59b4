"""`python -m mexica_cli` is `mexica`."""

from __future__ import annotations

from mexica_cli.cli.main import main

if __name__ == "__main__":
    main()
