//! Questions to the system's DNS server (RFC 1035): over UDP, or over TCP if the answer is too long for UDP.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use simple_dns::rdata::RData;
use simple_dns::{CLASS, Name, Packet, PacketFlag, Question, RCODE, TYPE};

const PATIENCE: Duration = Duration::from_secs(3);

/// The longest answer over UDP without an extension (RFC 1035 4.2.1).
const UDP: usize = 512;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The name does not exist, or has no record of this kind.
    None,
    /// No answer, or one that cannot be read.
    Failed(String),
}

impl From<io::Error> for NoAnswer {
    fn from(why: io::Error) -> NoAnswer {
        NoAnswer::Failed(why.to_string())
    }
}

impl From<simple_dns::SimpleDnsError> for NoAnswer {
    fn from(why: simple_dns::SimpleDnsError) -> NoAnswer {
        NoAnswer::Failed(format!("{why:?}"))
    }
}

/// The first server of `/etc/resolv.conf`.
pub(super) fn of_the_system() -> Option<SocketAddr> {
    let text = std::fs::read_to_string("/etc/resolv.conf").ok()?;
    first_server(&text)
}

fn first_server(text: &str) -> Option<SocketAddr> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let address = words.next().filter(|word| *word == "nameserver").and_then(|_| words.next())?;
        // An address with a scope belongs to one link. A machine that sends mail has another resolver.
        Some(SocketAddr::new(address.parse::<IpAddr>().ok()?, 53))
    })
}

/// The TXT records of a name, each joined to one text.
pub(super) fn texts(server: SocketAddr, name: &str) -> Result<Vec<String>, NoAnswer> {
    ask(server, name, TYPE::TXT, |data| match data {
        RData::TXT(text) => String::try_from(text.clone()).ok(),
        _ => None,
    })
}

pub(super) fn mail_hosts(server: SocketAddr, domain: &str) -> Result<Vec<String>, NoAnswer> {
    ask(server, domain, TYPE::MX, |data| match data {
        RData::MX(mx) => Some(mx.exchange.to_string()),
        _ => None,
    })
}

pub(super) fn has_an_address(server: SocketAddr, name: &str) -> bool {
    let of =
        |kind| ask(server, name, kind, |data| matches!(data, RData::A(_) | RData::AAAA(_)).then_some(()));
    of(TYPE::A).is_ok() || of(TYPE::AAAA).is_ok()
}

fn ask<T>(
    server: SocketAddr,
    name: &str,
    kind: TYPE,
    read: impl Fn(&RData<'_>) -> Option<T>,
) -> Result<Vec<T>, NoAnswer> {
    // A socket asks one question from a port that the system chooses, so a random number adds nothing.
    let mut packet = Packet::new_query(1);
    packet.set_flags(PacketFlag::RECURSION_DESIRED);
    packet.questions.push(Question::new(Name::new(name)?, kind.into(), CLASS::IN.into(), false));
    let query = packet.build_bytes_vec()?;
    let mut answer = over_udp(server, &query)?;
    if Packet::parse(&answer)?.has_flags(PacketFlag::TRUNCATION) {
        answer = over_tcp(server, &query)?;
    }
    let packet = Packet::parse(&answer)?;
    match packet.rcode() {
        RCODE::NoError => {}
        RCODE::NameError => return Err(NoAnswer::None),
        other => return Err(NoAnswer::Failed(format!("it says {other:?}"))),
    }
    let found: Vec<T> = packet.answers.iter().filter_map(|record| read(&record.rdata)).collect();
    if found.is_empty() { Err(NoAnswer::None) } else { Ok(found) }
}

fn over_udp(server: SocketAddr, query: &[u8]) -> io::Result<Vec<u8>> {
    let socket = UdpSocket::bind(if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" })?;
    socket.connect(server)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.send(query)?;
    let mut answer = vec![0; UDP];
    let length = socket.recv(&mut answer)?;
    answer.truncate(length);
    Ok(answer)
}

fn over_tcp(server: SocketAddr, query: &[u8]) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect_timeout(&server, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let length = u16::try_from(query.len()).unwrap_or(u16::MAX);
    stream.write_all(&[&length.to_be_bytes(), query].concat())?;
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut answer = vec![0; u16::from_be_bytes(length).into()];
    stream.read_exact(&mut answer)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_server_is_taken() {
        let text =
            "# nameserver 192.0.2.9\nsearch example.org\nnameserver fe80::1%eth0\nnameserver 192.0.2.1\n";
        assert_eq!(first_server(text), Some("192.0.2.1:53".parse().unwrap()));
        assert_eq!(first_server(""), None);
    }
}
