//! The LMTP listener.

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tracing::debug;

use super::Shared;
use super::letters::LetterSource;
use super::shutdown::LAST_WORDS;
use crate::connections::{self, Caller, ConnectionRules, Leave, Listener, OpenConnection, Stream};
use crate::mail::incoming::MAX_MESSAGE;
use crate::mail::lmtp::{Action, MailOutcome, MailTransaction, Session, Settings, delivered};

const CONNECTIONS: usize = 200;

/// One thread per connection, because the mail of each connection can wait for the writer.
const RULES: ConnectionRules = ConnectionRules {
    most: CONNECTIONS,
    patience: Duration::from_secs(1),
    unread: DEADLINES.idle,
    threads: CONNECTIONS,
    last_words: LAST_WORDS,
};

const DEADLINES: Deadlines = Deadlines { idle: Duration::from_secs(300), session: Duration::from_secs(3600) };

/// The most large mails received at once; others wait on their connections.
const LARGE: usize = 8;

/// A session that holds more bytes than this is receiving a large mail.
const SMALL: usize = 64 * 1024;

/// The size of the read buffer.
const PIECE: usize = 16 * 1024;

/// The longest silence of a connection, and its longest duration.
#[derive(Debug, Clone, Copy)]
struct Deadlines {
    idle: Duration,
    session: Duration,
}

/// Takes mails until shutdown.
pub(super) fn listen(shared: &Arc<Shared>, listeners: Vec<Listener>) -> io::Result<()> {
    let large = Arc::new(Semaphore::new(LARGE));
    connections::serve(listeners, &RULES, shared.shutdown.requested(), |caller| {
        attend(Arc::clone(shared), caller, Arc::clone(&large))
    })
}

async fn attend(shared: Arc<Shared>, caller: Caller, large: Arc<Semaphore>) {
    shared.metrics.connections.one();
    let Caller { number, stream, peer, connection } = caller;
    let settings = Settings::new(&shared.in_force().app.server.host, MAX_MESSAGE);
    let source = LetterSource {
        shared: Arc::clone(&shared),
        connection: number,
        is_open_to_local_users: peer.is_some(),
    };
    let source = Arc::new(source);
    let take = |mail| {
        let source = Arc::clone(&source);
        async { spawn_blocking(move || source.take(mail)).await.map_err(io::Error::other) }
    };
    if let Err(why) = talk(stream, Session::new(settings), &connection, DEADLINES, &large, take).await {
        debug!(connection = number, "connection lost: {why}");
    }
    shared.metrics.ended.one();
}

/// Speaks LMTP until one side ends the connection.
async fn talk<T: Future<Output = io::Result<Vec<MailOutcome>>>>(
    mut stream: impl Stream,
    mut session: Session,
    connection: &OpenConnection,
    Deadlines { idle, session: longest }: Deadlines,
    large: &Semaphore,
    take: impl Fn(MailTransaction) -> T,
) -> io::Result<()> {
    let until = Instant::now() + longest;
    let (mut permit, mut piece) = (None, vec![0; PIECE]);
    let mut replies = session.greeting();
    let last_line = loop {
        timeout(idle, stream.write_all(replies.as_bytes())).await??;
        let patience = until.min(Instant::now() + idle);
        if session.kept() <= SMALL {
            permit = None;
        } else if permit.is_none() {
            permit = timeout_at(patience, large.acquire()).await.ok().and_then(Result::ok);
        }
        if patience <= Instant::now() || session.kept() > SMALL && permit.is_none() {
            break session.time_out();
        }
        let is_idle = session.is_idle();
        if is_idle && connection.is_going_down() {
            break session.shut_down();
        }
        let leaves = async {
            match connection.leaves().await {
                Leave::Shutdown if !is_idle => pending().await,
                leave => leave,
            }
        };
        // Bytes that have arrived are read before the connection gives way.
        let got = tokio::select! {
            biased;
            got = stream.read(&mut piece) => got?,
            leave = leaves => break match leave {
                Leave::Shutdown => session.shut_down(),
                Leave::GiveWay => session.give_way(),
            },
            () = sleep_until(patience) => break session.time_out(),
        };
        if got == 0 {
            return Ok(());
        }
        replies.clear();
        let mut ends = false;
        for action in session.feed(piece.get(..got).unwrap_or_default()) {
            match action {
                Action::Reply(reply) => replies += &reply,
                Action::Deliver(mail) => {
                    let _working = connection.work();
                    replies += &delivered(&take(mail).await?);
                }
                Action::Close => ends = true,
            }
        }
        if ends {
            break replies;
        }
    };
    timeout(idle, stream.write_all(last_line.as_bytes())).await?
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt, BufReader, split};

    use super::*;

    /// The last line to a client that says NOOP after each line, at most so often.
    fn last_line(noops: usize, deadlines: Deadlines) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (ours, theirs) = tokio::io::duplex(SMALL);
        let (large, connection) = (Semaphore::new(1), OpenConnection::default());
        let session = Session::new(Settings::new("turnpost.example", MAX_MESSAGE));
        let talking = talk(ours, session, &connection, deadlines, &large, |_| async { Ok(Vec::new()) });
        let client = async {
            let (reader, mut writer) = split(theirs);
            let (mut lines, mut last, mut said) = (BufReader::new(reader).lines(), String::new(), 0);
            while let Some(line) = lines.next_line().await.unwrap() {
                last = line;
                if said < noops {
                    said += 1;
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    let _ = writer.write_all(b"NOOP\r\n").await;
                }
            }
            last
        };
        let (talked, last) = runtime.block_on(async { tokio::join!(talking, client) });
        talked.unwrap();
        last
    }

    #[test]
    fn a_connection_ends_in_time() {
        let [short, long] = [200, 60_000].map(Duration::from_millis);
        for (noops, idle, session) in [(2, short, long), (usize::MAX, long, short)] {
            let last = last_line(noops, Deadlines { idle, session });
            assert!(last.starts_with("421 4.4.2 "), "{last}");
        }
    }
}
