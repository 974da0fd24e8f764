//! The user who owns the server's files.

use std::path::Path;

use crate::error::HostError;
use crate::private_files;

/// The user that the Debian package makes.
const USUAL: &str = "_turnpost";

pub(super) struct Owner {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
}

impl Owner {
    /// The user of that name. Without a name: the usual user if the superuser asks, else the user who asks.
    pub fn find(name: Option<&str>) -> Result<Owner, HostError> {
        let users = users();
        let me = private_files::user();
        let found = match name {
            Some(name) => users.lines().find_map(|line| read(line).filter(|owner| owner.name == name)),
            None if me == 0 => users.lines().find_map(|line| read(line).filter(|owner| owner.name == USUAL)),
            None => users.lines().find_map(|line| read(line).filter(|owner| owner.uid == me)),
        };
        let Some(owner) = found else {
            let name = name.unwrap_or(USUAL);
            return Err(HostError::Asked(format!(
                "there is no user {name} in /etc/passwd: make one, by `adduser --system --group --no-create-home \
                 --home /var/lib/turnpost --force-badname {name}`, or name another by --user"
            )));
        };
        if me != 0 && owner.uid != me {
            return Err(HostError::Asked(format!(
                "only the superuser can give files to {}: run this by sudo, or without --user",
                owner.name
            )));
        }
        Ok(owner)
    }
}

/// The name of a user, or `user 1000` for one without a name.
pub(super) fn name(uid: u32) -> String {
    let users = users();
    let found = users.lines().find_map(|line| read(line).filter(|owner| owner.uid == uid));
    found.map_or_else(|| format!("user {uid}"), |owner| owner.name)
}

fn users() -> String {
    std::fs::read_to_string(Path::new("/etc/passwd")).unwrap_or_default()
}

/// A line of `/etc/passwd`.
fn read(line: &str) -> Option<Owner> {
    let mut fields = line.split(':');
    let name = fields.next()?.to_owned();
    Some(Owner { name, uid: fields.nth(1)?.parse().ok()?, gid: fields.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_users_is_read() {
        let owner = read("_turnpost:x:105:112::/var/lib/turnpost:/bin/false").unwrap();
        assert_eq!((owner.name.as_str(), owner.uid, owner.gid), ("_turnpost", 105, 112));
        assert!(read("broken").is_none());
    }
}
