//! What the host does in a scene, in words: `board 1 undo 3`, `board 1 end draw`, `user ann suspend`.

use turnpost::ids::BoardId;
use turnpost::timer::host_acts::{Act, AddressAct, BanAct, BoardAct, GamesOfTwo, MailAct, UserAct};

/// The reason for all that the host does.
pub const WHY: &str = "The clock of the server was wrong.";

/// The act that these words name; a suspension holds its reason.
pub fn act(words: &str, reason: &str) -> Result<Act, String> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let wrong = || format!("no act of a host: {words:?}");
    let act = match words.as_slice() {
        ["board", number, act @ ..] => Act::OnBoard(
            BoardId(number.parse().map_err(|_| wrong())?),
            match act {
                ["undo", ply] => BoardAct::Undo(ply.parse().map_err(|_| wrong())?),
                ["end", end] => BoardAct::End(end.parse()?),
                ["adjourn"] => BoardAct::Adjourn,
                ["resume"] => BoardAct::Resume,
                ["seat", seat, userid] => BoardAct::Reseat(format!("{seat}={userid}").parse()?),
                _ => return Err(wrong()),
            },
        ),
        ["user", userid, act @ ..] => Act::OnUser(
            userid.parse().map_err(|_| wrong())?,
            match act {
                ["suspend"] => UserAct::Suspend(reason.to_owned()),
                ["resume"] => UserAct::Resume,
                ["reset"] => UserAct::ResetPassword,
                ["add", address] => UserAct::AddAddress((*address).to_owned()),
                _ => return Err(wrong()),
            },
        ),
        ["rename", old, new] => {
            Act::Rename { old: old.parse().map_err(|_| wrong())?, new: new.parse().map_err(|_| wrong())? }
        }
        ["merge", from, into, games @ ..] => Act::Merge {
            from: from.parse().map_err(|_| wrong())?,
            into: into.parse().map_err(|_| wrong())?,
            games: if games == ["void"] { GamesOfTwo::Void } else { GamesOfTwo::None },
        },
        ["erase", userid] => Act::Erase(userid.parse().map_err(|_| wrong())?),
        ["mail", number, act] => {
            let act = if *act == "retry" { MailAct::Retry } else { MailAct::Cancel };
            Act::OnMail(number.parse().map_err(|_| wrong())?, act)
        }
        ["address", address, act] => {
            let act = if *act == "stop" { AddressAct::Stop } else { AddressAct::Resume };
            Act::OnAddress((*address).to_owned(), act)
        }
        ["ban", sender] => Act::OnSender((*sender).to_owned(), BanAct::Ban),
        ["ban", sender, "lift"] => Act::OnSender((*sender).to_owned(), BanAct::Lift),
        ["retry", since] => Act::RetryMails(since.parse().map_err(|_| wrong())?),
        _ => return Err(wrong()),
    };
    Ok(act)
}
