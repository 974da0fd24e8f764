//! The parts of a date in a line.

/// The parts that programs write into attributions and headers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct When {
    /// `2026`, `2026年`; the Buddhist era too.
    pub year: bool,
    /// `17:02`, `17h02`, `17.02`
    pub time: bool,
    /// `16.11.26`, `11/16/2026`, `2026-11-16`
    pub date: bool,
}

impl When {
    pub fn any(self) -> bool {
        self.year || self.time || self.date
    }

    pub fn of(plain: &str) -> When {
        let mut found = When::default();
        let (mut figures, mut value) = (0_usize, 0_u32);
        // The character before the number, the numbers joined to it, and their separator.
        let (mut before, mut chain) = (' ', 0_usize);
        let mut joint = ' ';
        let mut first = 0_u32;
        for c in plain.chars().chain([' ']) {
            if let Some(figure) = c.to_digit(10) {
                figures += 1;
                value = value.saturating_mul(10).saturating_add(figure);
                continue;
            }
            if figures > 0 {
                let glued = before.is_alphanumeric() && before < '\u{2E80}' && chain == 0;
                let year = matches!(value, 1990..=2099 | 2533..=2599) && figures == 4;
                found.year |= year && !glued && !c.is_ascii_alphanumeric();
                let pair = chain == 1 && figures == 2 && first < 24 && value < 60;
                found.time |= pair && matches!(joint, ':' | '.' | 'h' | 'H');
                found.time |= matches!(c, '\u{6642}' | '\u{65F6}' | '\u{70B9}' | '\u{C2DC}');
                found.date |= chain == 2 && matches!(joint, '.' | '/' | '-');
                let joins = figures <= 4 && matches!(c, ':' | '.' | '/' | '-' | 'h' | 'H');
                if joins && (chain == 0 || c == joint) {
                    if chain == 0 {
                        first = value;
                    }
                    chain += 1;
                    joint = c;
                } else {
                    chain = 0;
                }
            } else {
                // `16. 11. 2026`
                chain = if c == ' ' && joint == '.' { chain } else { 0 };
            }
            (figures, value) = (0, 0);
            before = c;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::When;

    #[test]
    fn dates_of_programs() {
        for (text, year, time, date) in [
            ("on mon, 16 nov 2026 at 5:02 pm", true, true, false),
            ("am 16.11.26 um 17:02 schrieb", false, true, true),
            ("le 16/11/2026 \u{e0} 17h02", true, true, true),
            ("dne 16. 11. 2026 v 17:02", true, true, true),
            ("klo 17.02", false, true, false),
            ("2026\u{5e74}11\u{6708}16\u{65e5} 17\u{6642}", true, true, false),
            ("2. i said 3", false, false, false),
            ("a3-b4 1-2", false, false, false),
            ("board 12345, b2026x", false, false, false),
        ] {
            assert_eq!(When::of(text), When { year, time, date }, "{text}");
        }
    }
}
