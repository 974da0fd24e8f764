//! The user who owns the server's files.

use crate::data_dir::User;
use crate::error::HostError;
use crate::private_files;

/// The user that the Debian package makes.
const USUAL: &str = "_turnpost";

/// The user of that name. Without a name: the usual user if the superuser asks, else the user who asks.
pub(super) fn find(name: Option<&str>) -> Result<User, HostError> {
    let me = private_files::user();
    let is_asked = |user: &User| match name {
        Some(name) => user.name == name,
        None if me == 0 => user.name == USUAL,
        None => user.uid == me,
    };
    let found = User::all().into_iter().find(is_asked);
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
