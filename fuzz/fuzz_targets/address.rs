//! Any path and query as the address of a page: read without a panic, and none that is not plain ASCII means a page.
#![no_main]

use libfuzzer_sys::fuzz_target;
use turnpost::web::knows;

fuzz_target!(|text: &str| {
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    if knows(path, query) {
        assert!(path.starts_with('/') && query.is_ascii(), "{text:?}");
    }
});
