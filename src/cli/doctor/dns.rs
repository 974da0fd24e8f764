//! The DNS records of the server's domain: MX for its mail, and SPF, DKIM and DMARC as proof of its mail.

use std::net::SocketAddr;

use super::findings::Findings;
use super::resolver::{self, NoAnswer};
use crate::config::Config;

const ABOUT: &str = "DNS";

/// Where providers look for what a host must publish.
const ADVICE: &str = "Many providers refuse mail without it, or take it for spam.";

pub(super) fn check(findings: &mut Findings, config: &Config, server: Option<SocketAddr>) {
    let Some(domain) = domain(&config.address) else {
        findings.warning(ABOUT, format!("the domain of {} is none of the DNS", config.address), "");
        return;
    };
    let Some(server) = server.or_else(resolver::of_the_system) else {
        findings.warning(ABOUT, "not asked: /etc/resolv.conf names no server", "Name one by --resolver.");
        return;
    };
    match resolver::mail_hosts(server, &domain) {
        Ok(hosts) => findings.ok("MX", format!("mail for {domain} goes to {}", hosts.join(", "))),
        Err(NoAnswer::None) if resolver::has_an_address(server, &domain) => {
            let says = format!("{domain} has none; mail goes to its address");
            findings.warning("MX", says, "Publish one that names your mail server.");
        }
        Err(NoAnswer::None) => {
            let says = format!("{domain} has none, and no address: no mail can come");
            findings.error("MX", says, "Publish one that names your mail server.");
        }
        // The other questions would time out the same way.
        Err(NoAnswer::Failed(why)) => {
            findings.warning(
                ABOUT,
                format!("{server} does not answer: {why}"),
                "Name another by --resolver.",
            );
            return;
        }
    }
    spf(findings, server, &domain);
    dkim(findings, server, config, &domain);
    let name = format!("_dmarc.{domain}");
    match texts(server, &name, "v=DMARC1").as_slice() {
        [] => findings.warning(
            "DMARC",
            format!("{name} says nothing"),
            format!("Publish `v=DMARC1; p=none` there. {ADVICE}"),
        ),
        [policy, ..] => findings.ok("DMARC", policy.clone()),
    }
}

fn spf(findings: &mut Findings, server: SocketAddr, domain: &str) {
    match texts(server, domain, "v=spf1").as_slice() {
        [] => {
            let advice = format!("Publish a TXT record such as `v=spf1 mx -all`. {ADVICE}");
            findings.warning("SPF", format!("{domain} does not say who sends its mail"), advice);
        }
        [policy] => findings.ok("SPF", policy.clone()),
        // RFC 7208 4.5.
        several => {
            let says = format!("{domain} has {} policies, and so none", several.len());
            findings.error("SPF", says, "Make one record of them.");
        }
    }
}

fn dkim(findings: &mut Findings, server: SocketAddr, config: &Config, domain: &str) {
    let settings = &config.dkim;
    if settings.key.is_empty() {
        findings.ok("DKIM", "left to the mail server: [dkim] names no key");
        return;
    }
    let signs = if settings.domain.is_empty() { domain } else { &settings.domain };
    let name = format!("{}._domainkey.{signs}", settings.selector);
    let keys = texts(server, &name, "");
    // RFC 6376 3.6.1: an empty key was withdrawn.
    let is_key = |text: &&String| {
        text.split(';').any(|tag| tag.trim().strip_prefix("p=").is_some_and(|key| !key.is_empty()))
    };
    match keys.iter().find(is_key) {
        Some(_) => findings.ok("DKIM", format!("{name} holds a key")),
        None => findings.error(
            "DKIM",
            format!("{name} holds no key"),
            "Publish the public half of `key` of [dkim] there: signed mail fails without it.",
        ),
    }
}

/// The texts of a name that begin with `start`. No answer counts as none: the MX was answered just now.
fn texts(server: SocketAddr, name: &str, beginning: &str) -> Vec<String> {
    let mut texts = resolver::texts(server, name).unwrap_or_default();
    texts.retain(|text| {
        text.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
    });
    texts
}

/// The domain of an address in the form of the DNS; `None` if it has none.
fn domain(address: &str) -> Option<String> {
    let (_, domain) = address.rsplit_once('@')?;
    let domain = idna::domain_to_ascii(domain).ok()?;
    (domain.contains('.') && !domain.starts_with('[')).then_some(domain)
}
