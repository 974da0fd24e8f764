//! The mail that tells a player of contests: at most one a day, with all that has happened.

use jiff::Timestamp;
use minijinja::context;
use serde::Serialize;

use crate::board::Board;
use crate::contest::forms::SECOND_CHANCE;
use crate::credentials::token;
use crate::failure::Error;
use crate::notices::Mail;
use crate::notices::contest_view::{ContestView, view_of_player};
use crate::notices::ladder_view::ladder_view;
use crate::notices::mail::{Content, ContestEvent, Purpose, Recipient, UnsubscribeBy};
use crate::notices::time_words::time_control;
use crate::notices::told_contests::ToldContests;
use crate::notices::transcript::data;
use crate::notices::view::{DiceView, OtherDrawings};
use crate::store::{
    BoardState, ContestBoardRow, ContestForm, ContestId, ContestNewsKind, ContestNewsRow, ContestRow,
    PlayerId, Store,
};

#[derive(Serialize)]
struct NextSeason {
    number: u32,
    starts_at: Option<i64>,
    /// Whether the reader is in the league.
    is_in: bool,
    /// Whether the reader is on the ladder of the game.
    on_ladder: bool,
    /// The number of groups of the season.
    groups: usize,
}

/// The reader's boards, in news of a start or of a ladder's pairings.
#[derive(Default, Serialize)]
struct OwnBoards {
    boards: Vec<OwnBoard>,
    positions: Vec<Position>,
    /// A move that the reader can play on the first board that waits for them.
    example: Option<String>,
    /// The time control of these boards in words.
    time: String,
}

#[derive(Serialize)]
struct OwnBoard {
    board: u32,
    opponent: String,
    /// Whether the reader is to move.
    moves: bool,
    plies: u32,
    /// The page on which the reader plays.
    page: Option<String>,
    /// The dice, in a game that has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    dice: Option<DiceView>,
}

/// A position, and the boards that it stands on.
#[derive(Serialize)]
struct Position {
    boards: Vec<u32>,
    key: String,
    #[serde(flatten)]
    drawn: OtherDrawings,
    /// The drawing names no board, so it has no picture.
    past: bool,
}

/// The mail with all contest news of a player; `None` if none of the contests exists any more.
pub(crate) fn mail(
    store: &Store,
    player: PlayerId,
    rows: &[ContestNewsRow],
    (told, pages, now): (&mut ToldContests, Option<&str>, Timestamp),
) -> Result<Option<Mail>, Error> {
    let mut kept = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let mut later = rows.iter().skip(at + 1).filter(|later| later.contest == row.contest);
        if !later.any(|later| follows(later.kind, row.kind)) {
            kept.extend(store.contest(row.contest)?.map(|contest| (row.kind, contest)));
        }
    }
    let Some(last) = kept.last().map(|(_, contest)| contest.id) else { return Ok(None) };
    let several = kept.iter().any(|(_, contest)| contest.id != last);
    let reader = store.player_by_id(player)?.userid.to_string();
    let (mut events, mut names, mut games) = (Vec::new(), Vec::new(), 0);
    for (kind, row) in &kept {
        let (c, l, boards) = if row.form == ContestForm::Ladder {
            let ladder = told.ladder(store, row, now)?;
            let l = data(&ladder_view(store, ladder, Some(player), now)?);
            (view_of_player(store, &ladder.contest, player)?, Some(l), ladder.boards_of(store, player)?)
        } else {
            let boards = store.contest_boards_of(row.id, player)?;
            (view_of_player(store, told.contest(store, row)?, player)?, None, boards)
        };
        let own = match kind {
            ContestNewsKind::Started | ContestNewsKind::Paired => {
                let own = own_boards(store, player, &boards, pages)?;
                games += own.boards.len();
                let (bye, decides) = match row.form {
                    ContestForm::Event => told.contest(store, row)?.in_round(player),
                    _ => (false, false),
                };
                context! { bye, decides, ..data(&own) }
            }
            ContestNewsKind::Late => context! { second_chance => (now + SECOND_CHANCE).as_second() },
            ContestNewsKind::Corrected => {
                let corrected: Vec<u32> = told.contest(store, row)?.corrected.iter().copied().collect();
                let boards = store.contest_boards_at(row.id, &corrected)?;
                context! { corrected => boards.iter().map(|row| row.board.0).collect::<Vec<_>>() }
            }
            ContestNewsKind::Refused => {
                let contest = told.contest(store, row)?;
                let substitute = contest.waiting.contains(&player) && contest.team_of.contains_key(&player);
                context! { rejected => contest.removed.contains(&player), substitute }
            }
            _ => context! {},
        };
        let next = match row.form {
            ContestForm::Event | ContestForm::Ladder => None,
            ContestForm::League | ContestForm::Season => next_season(store, player, row, &c, told)?,
        };
        let team = c.teams.iter().find(|team| team.players.iter().any(|one| one.player == reader));
        let place = c
            .groups
            .iter()
            .flat_map(|group| &group.rows)
            .find(|row| row.player == reader)
            .map(|row| row.place);
        let place = team.map(|team| team.place).or(place);
        let the = if row.form == ContestForm::Event { "" } else { "the " };
        let title = format!("{the}{}", c.title);
        // Without the number of a season.
        let of = title.split(", ").next().unwrap_or_default().to_owned();
        if !names.contains(&of) {
            names.push(of.clone());
        }
        let data = context! {
            reader => &reader, several, title, of, place, team => team.map(|team| &team.name), c => data(&c), l,
            next => next.as_ref().map(data), ..own
        };
        events.push(ContestEvent { template: template(*kind, next.as_ref()), data });
    }
    let content = Content::ContestNews { events, frame: context! { several, names, games } };
    let contest = if several { ContestId::SEVERAL } else { last };
    let token = Some(token::of_contest_mail(store, player, contest)?);
    let unsubscribe = pages.map(|_| UnsubscribeBy::Pause);
    Ok(Some(Mail { token, unsubscribe, ..Mail::of(Recipient::Player(player), Purpose::News, content) }))
}

/// The file that tells of an event.
fn template(kind: ContestNewsKind, next: Option<&NextSeason>) -> String {
    let name = match (kind, next) {
        (ContestNewsKind::Off, Some(_)) => "put-off",
        (ContestNewsKind::Closed, Some(_)) => "season-over",
        (kind, _) => kind.as_str(),
    };
    format!("contest/{name}.md")
}

/// True if news of kind `later` makes news of kind `earlier` redundant.
fn follows(later: ContestNewsKind, earlier: ContestNewsKind) -> bool {
    match earlier {
        // A player who waited has taken over a place.
        ContestNewsKind::Refused => later == ContestNewsKind::Started,
        ContestNewsKind::Late => matches!(later, ContestNewsKind::Withdrawn | ContestNewsKind::Silent),
        ContestNewsKind::Moved | ContestNewsKind::Entered => {
            matches!(later, ContestNewsKind::Moved | ContestNewsKind::Started | ContestNewsKind::Off)
        }
        // Each Monday and each round makes news, and the latest news lists all boards.
        ContestNewsKind::Paired | ContestNewsKind::Started | ContestNewsKind::Corrected => later == earlier,
        _ => false,
    }
}

/// The running boards of a player, and what they look like.
fn own_boards(
    store: &Store,
    player: PlayerId,
    rows: &[ContestBoardRow],
    pages: Option<&str>,
) -> Result<OwnBoards, Error> {
    let mut own = OwnBoards::default();
    for row in rows.iter().filter(|row| row.state == BoardState::Running) {
        let Some(board) = Board::load(store, row.board)? else { continue };
        let Some(seat) = board.seat_of(player) else { continue };
        let opponent = store.player_by_id(*seat.other().of(&row.players))?.userid.to_string();
        let link = pages.map(|_| token::of_page(store, row.board, player, None)).transpose()?.flatten();
        let page = pages.zip(link).map(|(pages, link)| format!("{pages}/play/{link}"));
        let to_move = board.to_move(seat);
        let example = || to_move?.example()?.split_whitespace().next().map(str::to_owned);
        own.example = own.example.or_else(example);
        own.boards.push(OwnBoard {
            board: row.board.0,
            opponent,
            moves: to_move.is_some(),
            plies: board.row.plies.0,
            page,
            dice: DiceView::of(store, &board)?,
        });
        own.time = time_control(board.row.days);
        let scene = board.kind.facing(Some(seat), board.table.look());
        let drawn = OtherDrawings::of(&scene, board.kind.seats);
        match own.positions.iter_mut().find(|known| known.drawn.compact == drawn.compact) {
            Some(known) => known.boards.push(row.board.0),
            None => {
                let key = scene.drawing().key;
                own.positions.push(Position { boards: vec![row.board.0], key, drawn, past: true });
            }
        }
    }
    Ok(own)
}

/// The next season of the league, for a player of a season.
fn next_season(
    store: &Store,
    player: PlayerId,
    contest: &ContestRow,
    own: &ContestView,
    told: &mut ToldContests,
) -> Result<Option<NextSeason>, Error> {
    let Some(row) = store.contest_named(contest.league_name())? else { return Ok(None) };
    let ladder = store.contest_named(&ContestForm::Ladder.name_of(&own.game))?;
    let on_ladder = match ladder {
        Some(ladder) => told.contest(store, &ladder)?.joined.contains(&player),
        None => false,
    };
    let league = told.contest(store, &row)?;
    Ok(Some(NextSeason {
        number: league.league.seasons + 1,
        starts_at: league.league.next.map(|next| next.starts_at),
        is_in: league.joined.contains(&player),
        on_ladder,
        groups: own.all_groups,
    }))
}
