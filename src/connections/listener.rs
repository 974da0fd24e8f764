//! Listening sockets, TCP and Unix.

use std::fs;
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::task::Poll;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

/// An address to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    Port(SocketAddr),
    /// A Unix socket.
    File(PathBuf),
}

impl Listen {
    /// Reads `127.0.0.1:2400`, `[::1]:2400` or `unix:/path`.
    pub fn read(text: &str) -> Result<Listen, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            return match path.starts_with('/') {
                true => Ok(Listen::File(PathBuf::from(path))),
                false => Err(format!("{text:?} must name its file from the root: unix:/run/turnpost/lmtp")),
            };
        }
        match text.parse::<SocketAddr>() {
            Ok(address) if address.ip().is_loopback() => Ok(Listen::Port(address)),
            Ok(_) => Err(format!("{text:?} is open to other machines; only loopback addresses are served")),
            Err(_) => Err(format!("{text:?} is no place to listen at, such as 127.0.0.1:2400")),
        }
    }
}

impl std::fmt::Display for Listen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Listen::Port(address) => SocketAddr::fmt(address, f),
            Listen::File(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// The two directions of a connection.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A listening socket. Connections wait in the listen backlog of the operating system.
pub enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, SocketFile),
}

/// A socket in the file system, removed when this is dropped.
pub struct SocketFile(PathBuf);

/// A [`Listener`] in the tokio runtime.
pub(super) enum AsyncListener {
    Tcp(tokio::net::TcpListener),
    Unix { listener: tokio::net::UnixListener, _file: SocketFile },
}

impl Listener {
    pub fn bind(place: &Listen) -> io::Result<Listener> {
        let path = match place {
            Listen::Port(address) => return TcpListener::bind(address).map(Listener::Tcp),
            Listen::File(path) => path,
        };
        let listener = match UnixListener::bind(path) {
            Err(why) if why.kind() == ErrorKind::AddrInUse && !is_socket(path) => {
                let why = "what stands there is no socket: move it away, or name another place";
                return Err(io::Error::new(ErrorKind::AlreadyExists, why));
            }
            Err(why) if why.kind() == ErrorKind::AddrInUse && is_left_over(path) => {
                fs::remove_file(path)?;
                UnixListener::bind(path)?
            }
            bound => bound?,
        };
        // Open to the server's group, which the mail server's user joins.
        fs::set_permissions(path, fs::Permissions::from_mode(0o660))?;
        Ok(Listener::Unix(listener, SocketFile(path.clone())))
    }

    /// The real address, with the port that the system chose.
    pub fn place(&self) -> io::Result<Listen> {
        Ok(match self {
            Listener::Tcp(listener) => Listen::Port(listener.local_addr()?),
            Listener::Unix(_, SocketFile(path)) => Listen::File(path.clone()),
        })
    }

    pub(super) fn waiting(self) -> io::Result<AsyncListener> {
        match self {
            Listener::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                tokio::net::TcpListener::from_std(listener).map(AsyncListener::Tcp)
            }
            Listener::Unix(listener, file) => {
                listener.set_nonblocking(true)?;
                let listener = tokio::net::UnixListener::from_std(listener)?;
                Ok(AsyncListener::Unix { listener, _file: file })
            }
        }
    }
}

/// Accepts the next connection at any of the listeners. Returns its peer's address if it is TCP.
pub(super) async fn accept(
    listeners: &[AsyncListener],
    unread: Duration,
) -> io::Result<(Box<dyn Stream>, Option<SocketAddr>)> {
    poll_fn(|context| {
        for listener in listeners {
            match listener {
                AsyncListener::Tcp(listener) => {
                    if let Poll::Ready(accepted) = listener.poll_accept(context) {
                        return Poll::Ready(accepted.and_then(|(stream, peer)| {
                            // The peer waits for each short answer.
                            stream.set_nodelay(true)?;
                            let unread = u32::try_from(unread.as_millis()).unwrap_or(u32::MAX);
                            rustix::net::sockopt::set_tcp_user_timeout(&stream, unread)?;
                            Ok((Box::new(stream) as Box<dyn Stream>, Some(peer)))
                        }));
                    }
                }
                AsyncListener::Unix { listener, .. } => {
                    if let Poll::Ready(accepted) = listener.poll_accept(context) {
                        return Poll::Ready(accepted.map(|(stream, _)| (Box::new(stream) as _, None)));
                    }
                }
            }
        }
        Poll::Pending
    })
    .await
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if is_socket(&self.0) {
            // The file would otherwise remain.
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// True for a socket; false for a symbolic link to one.
fn is_socket(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
}

/// True when no process listens on this socket.
fn is_left_over(path: &Path) -> bool {
    UnixStream::connect(path).is_err_and(|why| why.kind() == ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let port = |text: &str| Listen::Port(text.parse().unwrap());
        assert_eq!(Listen::read("127.0.0.1:2400"), Ok(port("127.0.0.1:2400")));
        assert_eq!(Listen::read("[::1]:2400"), Ok(port("[::1]:2400")));
        assert_eq!(Listen::read("unix:/run/lmtp"), Ok(Listen::File("/run/lmtp".into())));
        for (wrong, why) in [
            ("0.0.0.0:2400", "open to other machines"),
            ("192.0.2.1:25", "open to other machines"),
            ("2400", "no place to listen at"),
            ("localhost", "no place to listen at"),
            ("unix:lmtp", "from the root"),
        ] {
            assert!(Listen::read(wrong).unwrap_err().contains(why), "{wrong}");
        }
    }
}
