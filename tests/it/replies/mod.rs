//! What a reply does: a matrix, a table and a law.
//!
//! - `matrix`: any turn, in any dress, under the quoting of any mail program, plays that turn and passes on the words.
//! - `table`: texts as people write them, and what each does (`tests/data/replies.txt`).
//! - `doubtful`: what speaks against the act in a reply, so that its writer is asked (`tests/data/doubtful-replies.txt`).
//! - `law`: no text plays what it does not say, and no words are lost.
//! - `wishes`: what is meant for the server reaches nobody else (`tests/data/wishes.txt`).
//! - `laws`: the same of friendly letters in every game and language, and each answer tells whose turn it is.
//! - `text`: which part of a mail is new (`tests/data/new-text.txt`).
//!
//! What follows from several replies, one after the other, stands in `tests/scenes`; what its token proves in `reply_tokens.txt`.

mod doubtful;
mod law;
mod laws;
mod made;
mod matrix;
mod positions;
mod programs;
mod table;
mod text;
mod wishes;
