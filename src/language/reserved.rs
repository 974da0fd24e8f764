//! Userids that no player can have: the robot's, and the names of mail roles.

use crate::ids::Userid;

/// Mailbox names of RFC 2142, the system users that mail servers know, the senders of automatic mail, and the
/// mailboxes by which a domain proves itself (CA/Browser Forum, 3.2.2.4.4). Without `-` and `_`.
const ROLES: &str = "abuse admin administrator anonymous autoreply bounce bounces daemon dmarc dnsadmin donotreply ftp \
    hostmaster info list listmaster lists listserv mail mailer mailerdaemon mailman mailnull majordomo \
    marketing moderator news nobody noc noreply operator operators owner postfix postmaster postoffice reply \
    request root sales security sendmail smtp ssladmin ssladministrator sslwebmaster staff superuser support \
    sysadmin sysop system unsubscribe usenet uucp webmaster www wwwdata";

/// Endings that make any name a mail role.
const ENDS: &[&str] = &["bounces", "request", "owner", "noreply", "daemon", "postmaster"];

/// True for a mail role, in any case, also as `no_reply`, `Mailer-Daemon`, `postmaster2` and
/// `turnpost-owner`.
pub(crate) fn is_a_mail_role(word: &str) -> bool {
    let is_one = |name: &str| ROLES.split(' ').any(|role| role == name);
    let word = word.to_ascii_lowercase();
    let letters = |text: &str| text.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>();
    let plain = letters(&word);
    let name = plain.trim_end_matches(|c: char| c.is_ascii_digit());
    let end = word.rsplit(['-', '_']).next().filter(|end| end.len() < word.len());
    is_one(&plain) || is_one(name) || end.is_some_and(|end| ENDS.contains(&end)) || word.starts_with("owner-")
}

/// The word that names the robot, and begins the userids of its accounts.
pub(crate) const ROBOT: &str = "robot";

/// The level of `robot` if the player gives none.
const DEFAULT_LEVEL: u8 = 3;

pub(crate) fn robot_userid(level: Option<u8>) -> Option<Userid> {
    format!("{ROBOT}-{}", level.unwrap_or(DEFAULT_LEVEL)).parse().ok()
}

/// True for a word that could be taken for an account of the robot: `Robot_5`, `r0bot`, `ro-bot-3`.
pub(crate) fn looks_like_the_robot(word: &str) -> bool {
    let signs = word.chars().filter(|c| c.is_ascii_alphanumeric());
    let letters = signs.map(|c| if c == '0' { 'o' } else { c.to_ascii_lowercase() });
    letters.collect::<String>().starts_with(ROBOT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_in_every_spelling_and_no_names_of_people() {
        let roles = "Postmaster POST-MASTER post_master postmaster1 mailer-daemon MAILER_DAEMON no-reply No_Reply \
            do-not-reply www-data owner-dvonn dvonn-owner dvonn-request club-bounces news-noreply root0";
        for role in ROLES.split(' ').chain(roles.split(' ')) {
            assert!(is_a_mail_role(role), "{role}");
        }
        let names = "ann bob newsome rooty listener supporter lp3x masterpost adminta theowner mailin test1 ann- \
            marie webster abusir infocom r00t daemon-slayer supportive";
        for name in names.split(' ') {
            assert!(!is_a_mail_role(name), "{name}");
        }
    }
}
