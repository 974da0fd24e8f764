//! Limits for one visitor's address: the number of requests, and the number of forms received at once.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const HOUR: u64 = 60 * 60;

/// The most pages for one address in a minute and in an hour.
const PAGES: [u32; 2] = [60, 1200];

/// The most counts that are kept. Beyond them, counts older than the shorter span are dropped; if that is not enough,
/// all are dropped.
const COUNTED: usize = 20_000;

pub(super) struct Visitors {
    counts: Mutex<HashMap<(IpAddr, String), VisitorCount>>,
    /// Two spans of time in seconds, the shorter first, each with its limit of requests.
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
    /// `minute` and `hour` are the limits of requests in these spans.
    pub fn allowing([minute, hour]: [u32; 2]) -> Visitors {
        Visitors { counts: Mutex::default(), allowed: [(60, minute), (HOUR, hour)] }
    }

    /// `hour` and `day` are the limits of requests in these spans.
    pub fn allowing_daily([hour, day]: [u32; 2]) -> Visitors {
        Visitors { counts: Mutex::default(), allowed: [(HOUR, hour), (24 * HOUR, day)] }
    }

    /// Counts a request; false if a limit is exceeded.
    pub fn may_ask(&self, visitor: IpAddr, now: Instant) -> bool {
        self.may_ask_for("", visitor, now)
    }

    /// Counts a request for `what`, which has its own count; false if a limit is exceeded.
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

/// The number of things that each visitor has at once, such as forms that are being received.
pub(super) struct Places {
    most: u32,
    taken: Arc<Mutex<HashMap<IpAddr, u32>>>,
}

/// A place of a visitor. Dropping this frees it.
pub(super) struct VisitorPlace(Arc<Mutex<HashMap<IpAddr, u32>>>, IpAddr);

impl Places {
    /// At most this many for each visitor.
    pub fn of(most: u32) -> Places {
        Places { most, taken: Arc::default() }
    }

    /// A place for one more; `None` if the visitor has none left.
    pub fn place(&self, visitor: IpAddr) -> Option<VisitorPlace> {
        let visitor = neighbourhood(visitor);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(visitor).or_default();
        (*count < self.most).then(|| *count += 1)?;
        Some(VisitorPlace(Arc::clone(&self.taken), visitor))
    }
}

impl Drop for VisitorPlace {
    fn drop(&mut self) {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.1).filter(|count| **count > 1) {
            *count -= 1;
        } else {
            taken.remove(&self.1);
        }
    }
}

/// The address that is counted. For IPv6 it is the /64 network, because one visitor has 2^64 addresses.
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
