//! Takes the text out of clear-signed OpenPGP mail (RFC 9580 7).

const SIGNED: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";
const END: &str = "-----END PGP SIGNATURE-----";

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArmourState {
    Outside,
    /// In the armour headers, such as `Hash: SHA256`, up to the empty line.
    Armour,
    Inside,
    Signature,
}

/// The text without armour, dash-escapes and signatures. The signature is not checked and proves nothing.
pub(super) fn open(text: String) -> String {
    if !text.contains(SIGNED) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = ArmourState::Outside;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end();
        at = match at {
            ArmourState::Outside if bare == SIGNED => ArmourState::Armour,
            ArmourState::Armour if bare.is_empty() => ArmourState::Inside,
            // Mail programs that wrap or strip lines leave no empty line.
            ArmourState::Armour if bare.split_once(": ").is_none() => {
                out.push_str(unescaped(line));
                ArmourState::Inside
            }
            ArmourState::Inside if bare == SIGNATURE => ArmourState::Signature,
            ArmourState::Signature if bare == END => ArmourState::Outside,
            ArmourState::Inside => {
                out.push_str(unescaped(line));
                at
            }
            ArmourState::Outside => {
                out.push_str(line);
                at
            }
            ArmourState::Armour | ArmourState::Signature => at,
        };
    }
    out
}

/// RFC 9580 7.2: a line that begins with a dash gets `- ` in front.
fn unescaped(line: &str) -> &str {
    line.strip_prefix("- ").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::open;

    #[test]
    fn the_signed_text_and_nothing_of_the_armour() {
        let signed = "Hi\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\ndvonn show 1\n- -- \n- - x\n\
            -----BEGIN PGP SIGNATURE-----\nVersion: 1\n\niQ==\n-----END PGP SIGNATURE-----\nfooter\n";
        assert_eq!(open(signed.to_owned()), "Hi\ndvonn show 1\n-- \n- x\nfooter\n");
        let plain = "- -- x\n-----BEGIN PGP SIGNATURE-----\n";
        assert_eq!(open(plain.to_owned()), plain);
        let cut = "-----BEGIN PGP SIGNED MESSAGE-----\nK3-J2\n-----BEGIN PGP SIGNATURE-----\niQ";
        assert_eq!(open(cut.to_owned()), "K3-J2\n");
        let quoted = "> -----BEGIN PGP SIGNED MESSAGE-----\n> Hash: SHA1\n>\n> - -- \n";
        assert_eq!(open(quoted.to_owned()), quoted);
    }
}
