//! How offers are written and read.
//!
//! ```text
//! game move board userid password propose | undo | accept | reject | swap
//! game propose|undo|accept|reject|swap|decline board userid password
//! game queue board userid password [move ... | off]
//! game submit board userid password move ...
//! game confirm board userid password
//! game rematch board userid password
//! game replay board[#ply] userid1 userid2 [options]
//! game seek [options] userid password
//! game accept seek number userid password
//! game seeks
//! game showas userid password [board ... | all|active|inactive|next]
//! all show userid [next|active]
//! ```

use super::{Offer, Word};
use crate::command::args::{Args, Expected, which};
use crate::command::challenge::{
    board_options, board_options_beside_a_password, no_level, players, rating_option,
};
use crate::command::plan::Plan;
use crate::command::table::{Entry, Scope};
use crate::command::{Command, Login};
use crate::ids::{BoardId, Ply, Which};

const SEATED: &str = "board userid password";

pub(in crate::command) const ENTRIES: &[Entry] = &[
    Entry {
        word: "propose",
        aliases: &[],
        scope: Scope::Game,
        arguments: SEATED,
        summary: "proposes a draw to the opponent",
        details: "The opponent answers with `accept` or `reject`, or by playing on: the next ply lets it lapse. The word \
                  may also stand in place of a move.",
        example: "GAME propose 1 ann plover-42",
        read: |args| word(args, Word::Propose),
    },
    Entry {
        word: "undo",
        aliases: &[],
        scope: Scope::Game,
        arguments: SEATED,
        summary: "proposes to take your last ply back",
        details: "If the opponent accepts, your last ply and all after it are taken back, and queues on the board are \
                  dropped. The word may also stand in place of a move.",
        example: "GAME undo 1 ann plover-42",
        read: |args| word(args, Word::Undo),
    },
    Entry {
        word: "accept",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board userid password | seek number userid password",
        summary: "agrees to what the opponent proposed, or takes up a seek",
        details: "A seek starts a board at once; lots decide who is first.",
        example: "GAME accept 1 bob dunlin-7",
        read: read_accept,
    },
    Entry {
        word: "reject",
        aliases: &[],
        scope: Scope::Game,
        arguments: SEATED,
        summary: "turns down what the opponent proposed",
        details: "The game goes on as if nothing had been proposed.",
        example: "GAME reject 1 bob dunlin-7",
        read: |args| word(args, Word::Reject),
    },
    Entry {
        word: "swap",
        aliases: &[],
        scope: Scope::Game,
        arguments: SEATED,
        summary: "answers ply 1 by changing seats, on a board started with --swap",
        details: "The second player takes over the first seat with the ply played there; no ply is played.",
        example: "GAME swap 1 bob dunlin-7",
        read: |args| word(args, Word::Swap),
    },
    Entry {
        word: "decline",
        aliases: &[],
        scope: Scope::Game,
        arguments: SEATED,
        summary: "declines a game before the second player's first ply",
        details: "Either player may. The board goes away, unrated.",
        example: "GAME decline 1 bob dunlin-7",
        read: |args| word(args, Word::Decline),
    },
    Entry {
        word: "queue",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board userid password [move ... | if move then move ... | off]",
        summary: "conditional moves: answers that are played for you",
        details: "`A3-B4, B4-C4` are your next turns; `if K5-K4 then A3-B4` answers that move only; several `if` stand \
                  one after the other, and ( ) nest them: `if K5-K4 then (A3-B4, if J4-J3 then B4-C4)`. The first answer \
                  that fits is played when it is your turn, if it is legal; else the queue is dropped, and you are told. \
                  A move made by hand drops it too. Nobody else sees it. Without a move the queue is shown, with `off` \
                  it is dropped.",
        example: "GAME queue 1 bob dunlin-7 if F3 then F4",
        read: read_queue,
    },
    Entry {
        word: "submit",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board userid password move ...",
        summary: "shows the board after a move, which counts once you confirm it",
        details: "If anything happens on the board in between, it has to be submitted again.",
        example: "GAME submit 1 ann plover-42 F3",
        read: read_submit,
    },
    Entry {
        word: "confirm",
        aliases: &[],
        scope: Scope::Game,
        arguments: SEATED,
        summary: "lets the move you submitted count",
        details: "It is played as if you had sent it with `move`.",
        example: "GAME confirm 1 ann plover-42",
        read: |args| Ok(Command::Offer(Offer::Confirm(args.seated()?))),
    },
    Entry {
        word: "rematch",
        aliases: &[],
        scope: Scope::Game,
        arguments: SEATED,
        summary: "starts a new game with the same opponent and options, sides changed",
        details: "The old game must be over.",
        example: "GAME rematch 1 ann plover-42",
        read: |args| Ok(Command::Offer(Offer::Rematch(args.seated()?))),
    },
    Entry {
        word: "replay",
        aliases: &[],
        scope: Scope::Game,
        arguments: "board[#ply] userid1 userid2 [options]",
        summary: "starts a new, unrated game from a position of an old one",
        details: "As with a challenge, the sender must be one of the two.",
        example: "GAME replay 1#0 ann bob",
        read: read_replay,
    },
    Entry {
        word: "seek",
        aliases: &[],
        scope: Scope::Game,
        arguments: "[options] userid password | off userid password",
        summary: "an open challenge, for anybody to accept",
        details: "The options are those of a challenge, and `--rating=1400-1800` for the opponent's rating. It ends after \
                  30 days, or with `seek off`.",
        example: "GAME seek ann plover-42",
        read: read_seek,
    },
    Entry {
        word: "seeks",
        aliases: &[],
        scope: Scope::Game,
        arguments: "",
        summary: "lists the open challenges",
        details: "Each with its number, for `accept seek`.",
        example: "GAME seeks",
        read: |args| Ok(Command::Offer(Offer::Seeks(args.game))),
    },
    Entry {
        word: "showas",
        aliases: &[],
        scope: Scope::Game,
        arguments: "userid password [board ... | all|active|inactive|next]",
        summary: "shows your boards with what only you may see",
        details: "Your queue and the move you have submitted stand under the board.",
        example: "GAME showas ann plover-42 next",
        read: read_showas,
    },
    Entry {
        word: "all",
        aliases: &[],
        scope: Scope::Server,
        arguments: "show userid [next|active]",
        summary: "shows every game's boards of a player",
        details: "Those in play, or with `next` those where the player is to move.",
        example: "all show ann next",
        read: read_all_show,
    },
];

fn word(args: &mut Args, word: Word) -> Result<Command, Expected> {
    Ok(Command::Offer(Offer::Word(args.seated()?, word)))
}

fn login(args: &mut Args) -> Result<Login, Expected> {
    let userid = args.userid("your userid")?;
    let password = args.password()?;
    Ok(Login { userid, password })
}

fn read_accept(args: &mut Args) -> Result<Command, Expected> {
    if !args.next_is("seek") {
        return word(args, Word::Accept);
    }
    args.word("seek")?;
    let (at, number) = args.word("the number of a seek")?;
    let number = number
        .parse::<BoardId>()
        .map_err(|_| Expected::at(Some(at), "the number of a seek is expected here; `seeks` lists them"))?;
    Ok(Command::Offer(Offer::AcceptSeek(args.game, number.0, login(args)?)))
}

fn read_queue(args: &mut Args) -> Result<Command, Expected> {
    let at = args.seated()?;
    let text = args.rest_as_text();
    let plan = match text.trim() {
        "" => None,
        off if off.eq_ignore_ascii_case("off") => Some(Plan::default()),
        text => Some(Plan::read(text).map_err(|why| Expected::at(None, why))?),
    };
    Ok(Command::Offer(Offer::Queue(at, plan)))
}

fn read_submit(args: &mut Args) -> Result<Command, Expected> {
    let at = args.seated()?;
    let plies = args.rest_as_text();
    if plies.is_empty() {
        return Err(Expected::at(None, format!("the move is missing at the end ({})", args.game.notation)));
    }
    Ok(Command::Offer(Offer::Submit(at, plies)))
}

fn read_replay(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let mut options = board_options(args)?;
    if !options.game.is_empty() || options.position.is_some() {
        return Err(Expected::at(
            None,
            "a replay takes its position from the old board, and only days as options",
        ));
    }
    let (at, word) = args.word("the old board's number")?;
    let (board, ply) = board_and_ply(&word).map_err(|why| Expected::at(Some(at), why))?;
    let players = players(args, options.level.take())?;
    Ok(Command::Offer(Offer::Replay { game, board, ply, players, options }))
}

/// `42` or `42#7`.
pub(in crate::command) fn board_and_ply(word: &str) -> Result<(BoardId, Option<Ply>), String> {
    let (board, ply) = match word.split_once('#') {
        Some((board, ply)) => (board, Some(ply.parse::<Ply>().map_err(|why| why.to_string())?)),
        None => (word, None),
    };
    Ok((board.parse::<BoardId>().map_err(|why| why.to_string())?, ply))
}

fn read_seek(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    if args.next_is("off") {
        args.word("off")?;
        return Ok(Command::Offer(Offer::SeekOff(game, login(args)?)));
    }
    let rating = args.extract(rating_option)?.pop();
    let options = no_level(board_options_beside_a_password(args)?)?;
    let login = login(args)?;
    Ok(Command::Offer(Offer::Seek { game, login, options, rating }))
}

fn read_showas(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let login = login(args)?;
    let mut boards = Vec::new();
    let mut filter = Which::Active;
    for (at, word) in args.rest() {
        match (which(&word), word.parse::<BoardId>()) {
            (Some(which), _) => filter = which,
            (None, Ok(board)) => boards.push(board),
            (None, Err(_)) => {
                return Err(Expected::at(
                    Some(at),
                    "a board's number or one of all, active, inactive, next is expected here",
                ));
            }
        }
    }
    Ok(Command::Offer(Offer::ShowAs { game, login, boards, which: filter }))
}

fn read_all_show(args: &mut Args) -> Result<Command, Expected> {
    let (at, show) = args.word("show")?;
    if !show.eq_ignore_ascii_case("show") {
        return Err(Expected::at(Some(at), "`show` is expected here"));
    }
    let userid = args.userid("a userid")?;
    let mut filter = Which::Active;
    if !args.is_empty() {
        let (at, word) = args.word("next or active")?;
        filter = which(&word).ok_or_else(|| Expected::at(Some(at), "next or active is expected here"))?;
    }
    Ok(Command::Offer(Offer::AllShow(userid, filter)))
}
