//! How a position looks in a proof before anything is known of it.

use super::ending::Endings;
use super::mind::{INFINITE, Judged, Mind};
use super::node::Node;
use super::proof::Aim;
use super::proofs::{LEAN, Numbers, View};
use super::worker::Worker;

/// The numbers of a position that nothing is known of: the harder the more plies the side has that wants to prevent
/// it, by their third power, and the further off the estimate is. Results of other aims count as eighths of a power of
/// two. Near the end of the game there is no guessing.
pub(super) fn first_look<P: Mind>(
    worker: &mut Worker<'_, P>,
    endings: &mut Endings,
    position: &Node<P>,
    aim: Aim,
    lean: i32,
) -> View {
    if let Some(view) = to_the_end(worker, endings, position, aim, false) {
        return view;
    }
    let own = position.to_move() == aim.side;
    let seen = |value: i32| if own { value } else { -value };
    let value = match position.judge((-INFINITE, INFINITE)) {
        Judged::Final(value) => return View::decided(seen(value) >= aim.least, seen(value)),
        Judged::Guess(value) => seen(value),
    };
    worker.judged += 1;
    let plies = u32::try_from(position.legal_count()).unwrap_or(u32::MAX).min(128);
    let off = ((value - aim.least) / OFF).clamp(-TRUST, TRUST) + lean;
    let (proof, disproof) = if own { (1, plies.pow(3)) } else { (plies.pow(3), 1) };
    View { numbers: Numbers { proof: scaled(proof, -off), disproof: scaled(disproof, off) }, bound: 0 }
}

/// What a position comes to that is so near its end that everything is looked at; `None` for any other.
pub(super) fn to_the_end<P: Mind>(
    worker: &mut Worker<'_, P>,
    endings: &mut Endings,
    position: &P,
    aim: Aim,
    looked_into: bool,
) -> Option<View> {
    if endings.is_empty() || !position.is_ending(looked_into) {
        return None;
    }
    let own = position.to_move() == aim.side;
    let window = if own { (aim.least - 1, aim.least) } else { (-aim.least, 1 - aim.least) };
    let Some(result) = endings.result(worker, position, window) else { return Some(View::OPEN) };
    let value = if own { result } else { -result };
    Some(View::decided(value >= aim.least, value))
}

/// So far off makes it harder by an eighth of a power of two.
const OFF: i32 = 70;

/// Estimates are trusted no further than this, in eighths of powers of two.
const TRUST: i32 = 20;

/// A number times two to the power of so many eighths, in whole numbers, so that it is the same everywhere.
fn scaled(number: u32, eighths: i32) -> u32 {
    /// 2 to the power of 0, 1, ... 7 eighths, in 256ths.
    const EIGHTHS: [u64; 8] = [256, 279, 304, 332, 362, 395, 431, 470];
    // One power of two above what is needed, for numbers that would otherwise be fractions.
    let eighths = eighths.clamp(-TRUST - LEAN, TRUST + LEAN) + 8;
    let part = EIGHTHS.get(eighths.rem_euclid(8) as usize).copied().unwrap_or(256);
    let whole = eighths.div_euclid(8);
    let product = ((u64::from(number) * part) << (whole + 8)) >> 16;
    u32::try_from(product).unwrap_or(u32::MAX).clamp(1, Numbers::FAR)
}
