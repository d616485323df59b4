//! As much JSON as a bot needs: `Json::parse(line)` reads a value, `quoted(text)` writes a string.

use std::collections::HashMap;

pub enum Json {
    Null,
    /// A number, true or false, as it was written.
    Word(String),
    Text(String),
    List(Vec<Json>),
    Object(HashMap<String, Json>),
}

static NULL: Json = Json::Null;

impl Json {
    /// None for what isn't JSON.
    pub fn parse(line: &str) -> Option<Json> {
        let mut reader = Reader { rest: line };
        let json = reader.value()?;
        reader.skip();
        reader.rest.is_empty().then_some(json)
    }

    /// A field of an object; null where there is none.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => fields.get(name).unwrap_or(&NULL),
            _ => &NULL,
        }
    }

    /// A string, or a number as it was written; of anything else nothing.
    pub fn text(&self) -> &str {
        match self {
            Json::Text(text) | Json::Word(text) => text,
            _ => "",
        }
    }

    pub fn integer(&self) -> u64 {
        self.text().parse().unwrap_or(0)
    }

    pub fn strings(&self) -> Vec<String> {
        match self {
            Json::List(items) => items.iter().map(|item| item.text().to_string()).collect(),
            _ => Vec::new(),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Whether the next character is this one, which is then read.
    fn eat(&mut self, what: char) -> bool {
        self.skip();
        let found = self.rest.strip_prefix(what);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn value(&mut self) -> Option<Json> {
        if self.eat('{') {
            let mut fields = HashMap::new();
            self.members('}', |reader| {
                let name = reader.eat('"').then(|| reader.string())??;
                let value = reader.eat(':').then(|| reader.value())??;
                fields.insert(name, value);
                Some(())
            })?;
            return Some(Json::Object(fields));
        }
        if self.eat('[') {
            let mut items = Vec::new();
            self.members(']', |reader| {
                items.push(reader.value()?);
                Some(())
            })?;
            return Some(Json::List(items));
        }
        if self.eat('"') {
            return self.string().map(Json::Text);
        }
        self.word()
    }

    fn members(
        &mut self,
        close: char,
        mut member: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        if self.eat(close) {
            return Some(());
        }
        loop {
            member(self)?;
            if !self.eat(',') {
                return self.eat(close).then_some(());
            }
        }
    }

    fn word(&mut self) -> Option<Json> {
        let end = self
            .rest
            .find(|c: char| ",]}".contains(c) || c.is_whitespace())
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "" => None,
            "null" => Some(Json::Null),
            _ => Some(Json::Word(word.to_string())),
        }
    }

    /// The rest of a string whose opening quote has been read.
    fn string(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            let end = self.rest.find(['"', '\\'])?;
            text.push_str(&self.rest[..end]);
            let quote = self.rest[end..].starts_with('"');
            self.rest = &self.rest[end + 1..];
            if quote {
                return Some(text);
            }
            text.push(self.escape()?);
        }
    }

    /// What stands after a backslash. Of a character that comes as two escapes only two marks are left.
    fn escape(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(match letter {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let digits = self.rest.get(..4)?;
                self.rest = &self.rest[4..];
                char::from_u32(u32::from_str_radix(digits, 16).ok()?).unwrap_or('\u{fffd}')
            }
            other => other,
        })
    }
}

pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
