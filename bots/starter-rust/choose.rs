//! What to play: `choose` is given the legal actions as texts and a source of chance, and returns one of the actions. How
//! actions are written is told in protocol/NOTATION.md.
//!
//! If you want to know more than what is legal: add "state" to `want` in bot.rs, and hand `message.get("state")` on to
//! here.

use std::collections::BTreeMap;

/// Numbers that look like chance: the same seed gives the same ones, so that a match can be played again (xorshift64*).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(2).wrapping_add(1))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// The actions by their first word: {"walk": ["walk h5", "walk h7"], "end": ["end"]}
fn by_kind(legal: &[String]) -> BTreeMap<&str, Vec<&str>> {
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for action in legal {
        let kind = action.split(' ').next().unwrap_or_default();
        kinds.entry(kind).or_default().push(action);
    }
    kinds
}

/// The number after the first word.
fn number(action: &str) -> u32 {
    action
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(0)
}

/// The ones with the greatest number: the largest district, the highest temple.
fn greatest<'a>(actions: &[&'a str]) -> Vec<&'a str> {
    let most = actions.iter().map(|action| number(action)).max();
    actions
        .iter()
        .copied()
        .filter(|action| Some(number(action)) == most)
        .collect()
}

/// Founds whenever it can, builds the highest temple there is, just anywhere, and else digs and wanders about. Each kind
/// of action is equally likely then: most of the thousand legal actions are canals.
pub fn choose(legal: &[String], chance: &mut Chance) -> String {
    let kinds = by_kind(legal);
    if let Some(actions) = kinds.get("found").or(kinds.get("temple")) {
        return chance.pick(&greatest(actions)).to_string();
    }
    let rest: Vec<&str> = kinds
        .keys()
        .copied()
        .filter(|kind| *kind != "retire")
        .collect();
    let busy: Vec<&str> = rest
        .iter()
        .copied()
        .filter(|kind| ["canal", "walk", "bridge", "boat"].contains(kind))
        .collect();
    let kind = chance.pick(if busy.is_empty() { &rest } else { &busy });
    chance.pick(&kinds[kind]).to_string()
}
