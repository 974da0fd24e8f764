#![allow(clippy::unwrap_used, clippy::panic)]

mod advice;
mod deciding;
mod minds;
mod search;
mod values;
