//! Speaks the protocol (protocol/PROTOCOL.md). What is played is decided in choose.rs.

mod choose;
mod json;

use choose::{choose, Chance};
use json::{quoted, Json};
use std::io::{self, BufRead, Write};

struct Bot {
    legal: Vec<String>,
    chance: Chance,
}

impl Bot {
    /// The answer to a message, if there is one. Messages that it doesn't know are passed over.
    fn answer(&mut self, message: &Json) -> Option<String> {
        let id = message.get("id").text();
        match message.get("type").text() {
            "hello" => {
                let join = r#"{"type":"join","protocol":1,"name":"starter-rust","games":["mexica"],"want":["legal"]}"#;
                Some(join.to_string())
            }
            "start" => {
                self.chance = Chance::new(message.get("seed").integer());
                Some(format!(
                    r#"{{"type":"ready","match":{}}}"#,
                    quoted(message.get("match").text())
                ))
            }
            "turn" => {
                self.legal = message.get("legal").strings();
                Some(self.play(id))
            }
            "reject" => self.rejected(message).then(|| self.play(id)),
            "ping" => Some(format!(r#"{{"type":"pong","id":{id}}}"#)),
            "error" => {
                eprintln!(
                    "{}: {}",
                    message.get("code").text(),
                    message.get("reason").text()
                );
                None
            }
            _ => None,
        }
    }

    fn play(&mut self, id: &str) -> String {
        let action = choose(&self.legal, &mut self.chance);
        format!(
            r#"{{"type":"play","id":{id},"actions":[{}]}}"#,
            quoted(&action)
        )
    }

    /// Whether to answer again, and then with any action but the one that was refused. Can't happen while an action comes
    /// from the list.
    fn rejected(&mut self, message: &Json) -> bool {
        self.legal
            .retain(|action| action != message.get("action").text());
        message.get("code").text() != "turn_over" && message.get("strikes_left").integer() > 0
    }
}

fn main() -> io::Result<()> {
    let mut bot = Bot {
        legal: Vec::new(),
        chance: Chance::new(0),
    };
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let message = Json::parse(&line).ok_or(io::ErrorKind::InvalidData)?;
        if let Some(answer) = bot.answer(&message) {
            let mut out = io::stdout().lock();
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
        if message.get("type").text() == "bye" {
            break;
        }
    }
    Ok(())
}
