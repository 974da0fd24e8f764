//! How many pages and links an address may ask for, and how many of its forms are waited for.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const HOUR: u64 = 60 * 60;

/// Pages in a minute, and in an hour.
const PAGES: [u32; 2] = [60, 1200];

/// Forms of one visitor that are waited for at once.
const FORMS: u32 = 8;

/// The most addresses that are counted at once. Beyond them the oldest are forgotten.
const COUNTED: usize = 20_000;

pub(super) struct Visitors {
    counts: Mutex<HashMap<(IpAddr, String), VisitorCount>>,
    /// Spans of time in seconds, the shorter first, each with how many may ask in it.
    allowed: [(u64, u32); 2],
}

impl Default for Visitors {
    fn default() -> Visitors {
        Visitors::allowing(PAGES)
    }
}

/// For each span: when it began, and how many requests came since.
type VisitorCount = [(Instant, u32); 2];

impl Visitors {
    /// How many in a minute, and in an hour.
    pub fn allowing([minute, hour]: [u32; 2]) -> Visitors {
        Visitors { counts: Mutex::default(), allowed: [(60, minute), (HOUR, hour)] }
    }

    /// How many in an hour, and in a day.
    pub fn allowing_daily([hour, day]: [u32; 2]) -> Visitors {
        Visitors { counts: Mutex::default(), allowed: [(HOUR, hour), (24 * HOUR, day)] }
    }

    /// Counts a request; false when it is one too many.
    pub fn may_ask(&self, visitor: IpAddr, now: Instant) -> bool {
        self.may_ask_for("", visitor, now)
    }

    /// The same, with a count for each `what`.
    pub fn may_ask_for(&self, what: &str, visitor: IpAddr, now: Instant) -> bool {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let [(shorter, _), _] = self.allowed;
        if counts.len() >= COUNTED {
            counts.retain(|_, [count, _]| now.duration_since(count.0) < Duration::from_secs(shorter));
            if counts.len() >= COUNTED {
                counts.clear();
            }
        }
        let key = (neighbourhood(visitor), what.to_owned());
        let count = counts.entry(key).or_insert([(now, 0); 2]);
        // A request that the shorter span refuses does not count in the longer.
        count.iter_mut().zip(self.allowed).all(|((since, so_far), (seconds, most))| {
            if now.duration_since(*since) >= Duration::from_secs(seconds) {
                (*since, *so_far) = (now, 0);
            }
            *so_far = so_far.saturating_add(1);
            *so_far <= most
        })
    }
}

/// How many forms of each visitor are on their way.
#[derive(Default)]
pub(super) struct Forms(Mutex<HashMap<IpAddr, u32>>);

/// A form that is on its way, until this is dropped.
pub(super) struct FormPlace<'a>(&'a Forms, IpAddr);

impl Forms {
    /// A place for one more; `None` when the visitor has none left.
    pub fn place(&self, visitor: IpAddr) -> Option<FormPlace<'_>> {
        let visitor = neighbourhood(visitor);
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = forms.entry(visitor).or_default();
        (*count < FORMS).then(|| *count += 1)?;
        Some(FormPlace(self, visitor))
    }
}

impl Drop for FormPlace<'_> {
    fn drop(&mut self) {
        let mut forms = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = forms.get_mut(&self.1).filter(|count| **count > 1) {
            *count -= 1;
        } else {
            forms.remove(&self.1);
        }
    }
}

/// One visitor has 2^64 addresses of IPv6.
fn neighbourhood(visitor: IpAddr) -> IpAddr {
    match visitor {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        IpAddr::V4(_) => visitor,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_in_a_minute_and_no_more() {
        let visitors = Visitors::default();
        let begun = Instant::now();
        let ask = |text: &str, seconds: u64| {
            visitors.may_ask(text.parse().unwrap(), begun + Duration::from_secs(seconds))
        };
        assert!((0..60).all(|_| ask("2001:db8::1", 0)));
        assert!(!ask("2001:db8::ffff", 1));
        assert!(ask("192.0.2.1", 1));
        assert!(ask("2001:db8::1", 60));
        let allowed = (0..40)
            .flat_map(|minute| (0..100).map(move |_| minute))
            .filter(|minute| ask("192.0.2.7", 60 * minute));
        assert_eq!(allowed.count(), 1200);
    }
}
