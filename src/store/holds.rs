//! What each column contains about people. Erasing, merging and exporting a player follow from it. A test fails if a
//! column of the schema is missing here, so a new table cannot be forgotten.

/// A table a line, with all its columns. After a colon:
///
/// | kind | column |
/// |---|---|
/// | `owner` | the number of a player; the row is deleted when the account is emptied |
/// | `erased` | the number of a player; the row is deleted when the player leaves |
/// | `player` | the number of a player; the row stays |
/// | `setting` | gets its default when the account is emptied |
/// | `words` | a text that can name any person; the words of an erased person are searched in it |
/// | `key` | the same as a key: the row is deleted if it has such a word; no player gets it to read |
/// | `secret` | no player gets it to read |
///
/// `>` after a number: the row passes to the account into which the player's is merged. `-` before a table: its rows are
/// exported by a statement of their own, or not at all. A TEXT column without a kind holds moves, codes and words of the
/// server, or goes with its row.
const TABLES: &str = "\
acts number at os_user:secret act board mail player:player other:player detail:words reason:words contest
addresses player:erased> address address_key:secret added_at confirmed_at stopped_at stop_told leaves
-analyses board asked_at made tries lease_until
-analysis_readers board player:player> ply
-asked_addresses address_key:key asked_at
-bans banned sender:words reason:words at
-blocks player:owner> blocked:owner>
-boards id game rated state position plies events to_move winner score_first score_second how nag_days forfeit_days \
    total_days started_at changed_at deadline_at proposal proposed_by may_swap swapped ending clock_at bank_hours \
    refill_hours contest pair
-bounces address_key:key address:words count last_at stopped_at reported refused refused_since unwanted
-clocks board turn remind_at reminded vacations stop moved nudged_at warn_at warned zone
-contest_events contest number kind at player:player other:player pair text
-contest_news id player:owner> contest kind at
-contest_numbers only last
-contest_snapshots contest text
-contests id form game name name_key state entrants events changed_at due_at
drafts board player:player> events plies words:words renamed
-erasures only number since rewrites
-events board number kind at seat player:player ply text deadline_at
-finishes number board
-foreseen until
former_names player:player> name
free_weekends id player:owner> zone from_at until_at
game_settings player:owner game at_most rejects tells_ends
-held player:owner> board held_at
-identity only id address transport settings
-invitations id player:owner> game options code:secret address:words userid link made_at
-invited mailbox invited_at refused
-letters id identity received_at door sender:words player:player> done refused unreadable commands:words \
    message_id:words proof outcomes:words aside:words
-limit_hits what key:key player:erased hits last_at
-limits what key:key since count
-mail_bytes mail bytes
mails_aside id letter board player:erased> recipient reason:words created_at
-messages id reader:owner writer:owner board event sent_at words:words
-notes board player:owner> ply noted_at text:words shown
outbox id letter board player:player> recipient message_id:words created_at state attempts due_at lease_until \
    last_error:words finished_at secret bounced_at shows_board sender came_back_with:words pictured follows:words
-pauses only last before
--player_notes player:owner> about:owner> words:words
players id:player userid userid_key password_hash:secret secret:secret state zone:setting created_at role:setting \
    broadcast_at:setting announced_at:setting seeks_told:setting suspended:words paused_until:setting \
    contests_told_at:setting bot
-positions key board next
-pushes session board due_at tries
queues board player:player> plan
-rated_through only number steps_after
-rating_steps finish player:player game rating deviation volatility won lost tied
-ratings game player:player rating deviation volatility won lost tied
-ratings_before game player:player rating
-renamed board events
-resets player:owner token:secret sent_at
-robot_turns board event arose_at tries lease_until
-round_trips code:secret sent_at came_at
-seats board seat player:player hints hinted
-seeks id game player:player> options rating_min rating_max state board made_at
-senders id since
-server_keys name key:secret
-serving only machine started seen
-sessions id player:owner code:secret begun_at used_at browser board push push_at scope
settings player:owner word value
-stops id from_at to_at told
-threads board player:player> root:words last:words
-ticks only last_at
-told player:owner
-unarchived board
vacations id player:owner> first_day last_day starts_at ends_at automatic
-watched board watchers
-watchers board address:words address_key:key code:secret asked_at confirmed_at told";

/// A column and what it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredColumn {
    pub table: &'static str,
    pub name: &'static str,
    kind: &'static str,
}

impl StoredColumn {
    /// Every column of the schema, table by table.
    pub(super) fn all() -> impl Iterator<Item = StoredColumn> {
        TABLES.lines().flat_map(|line| {
            let mut words = line.split_whitespace();
            let table = words.next().unwrap_or_default().trim_start_matches('-');
            words.map(move |word| {
                let (name, kind) = word.split_once(':').unwrap_or((word, ""));
                StoredColumn { table, name, kind }
            })
        })
    }

    pub(super) fn of(kind: &'static str) -> impl Iterator<Item = StoredColumn> {
        StoredColumn::all().filter(move |column| column.kind.trim_end_matches('>') == kind)
    }

    /// True if it holds the number of a player.
    pub(super) fn is_of_player(&self) -> bool {
        ["owner", "erased", "player"].contains(&self.kind.trim_end_matches('>'))
    }

    pub(super) fn passes_in_merge(&self) -> bool {
        self.kind.ends_with('>')
    }

    /// True if it can contain the words by which a person is known.
    pub(super) fn is_searched(&self) -> bool {
        ["words", "key"].contains(&self.kind)
    }
}

/// The tables whose rows are exported as they are, each with the query for the rows of player `?1`.
pub(super) fn exported() -> impl Iterator<Item = (&'static str, String)> {
    let tables = TABLES.lines().filter_map(|line| line.split(' ').next());
    tables.filter(|table| !table.starts_with('-')).map(|table| {
        let own = || StoredColumn::all().filter(move |column| column.table == table);
        let names = |which: fn(&StoredColumn) -> bool| {
            own().filter(which).map(|column| column.name).collect::<Vec<_>>()
        };
        let shown = names(|column| !column.is_of_player() && !["key", "secret"].contains(&column.kind));
        let players = names(StoredColumn::is_of_player).join(", ");
        (table, format!("SELECT {} FROM {table} WHERE ?1 IN ({players})", shown.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn every_column_of_the_schema_is_told() {
        let store = Store::in_memory().unwrap();
        let schema = |more: &str| -> Vec<(String, String)> {
            let tables = "pragma_table_list t JOIN pragma_table_info(t.name) c";
            let sql = format!(
                "SELECT t.name, c.name FROM {tables} {more}
                 WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'
                 ORDER BY t.name, c.name"
            );
            store.all(&sql, []).unwrap()
        };
        let told = |which: fn(&StoredColumn) -> bool| {
            let columns = StoredColumn::all().filter(which);
            let mut names: Vec<(String, String)> =
                columns.map(|column| (column.table.into(), column.name.into())).collect();
            names.sort();
            names
        };
        assert_eq!(schema(""), told(|_| true));
        let references =
            "JOIN pragma_foreign_key_list(t.name) f ON f.\"from\" = c.name AND f.\"table\" = 'players'";
        let mut players = schema(references);
        // The log of acts outlives accounts, and an account is its own.
        players.extend(
            [("acts", "other"), ("acts", "player"), ("players", "id")]
                .map(|(table, name)| (table.into(), name.into())),
        );
        players.sort();
        assert_eq!(players, told(StoredColumn::is_of_player));
        let kinds = ["", "owner", "erased", "player", "setting", "words", "key", "secret"];
        assert!(StoredColumn::all().all(|column| kinds.contains(&column.kind.trim_end_matches('>'))));
    }
}
