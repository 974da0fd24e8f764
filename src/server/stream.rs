//! Sockets of both kinds, TCP and Unix.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::serve::Listen;

pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

/// A connection. Reading and writing need no `&mut`, as with the sockets of the standard library.
pub(super) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Listener {
    pub fn bind(place: &Listen) -> io::Result<Listener> {
        match place {
            Listen::Port(address) => TcpListener::bind(address).map(Listener::Tcp),
            Listen::File(path) => {
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
                Ok(Listener::Unix(listener, path.clone()))
            }
        }
    }

    pub fn accept(&self) -> io::Result<Stream> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                // Answers are short and awaited.
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
            Listener::Unix(listener, _) => Ok(Stream::Unix(listener.accept()?.0)),
        }
    }

    /// The real address, with the port that the system chose.
    pub fn place(&self) -> io::Result<Listen> {
        Ok(match self {
            Listener::Tcp(listener) => Listen::Port(listener.local_addr()?),
            Listener::Unix(_, path) => Listen::File(path.clone()),
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Unix(_, path) = self
            && is_socket(path)
        {
            // The socket file would otherwise remain.
            let _ = fs::remove_file(path);
        }
    }
}

/// True for a socket itself; a link may lead to anything.
fn is_socket(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
}

/// True when no process listens on this socket.
fn is_left_over(path: &Path) -> bool {
    UnixStream::connect(path).is_err_and(|why| why.kind() == ErrorKind::ConnectionRefused)
}

/// Wakes a thread that waits in [`Listener::accept`]; false when it cannot be reached, as when the socket
/// file is gone.
pub(super) fn wake(place: &Listen) -> bool {
    match place {
        Listen::Port(address) => TcpStream::connect_timeout(address, Duration::from_secs(1)).is_ok(),
        Listen::File(path) => UnixStream::connect(path).is_ok(),
    }
}

impl Stream {
    /// Sets the time limits, at least a millisecond: zero would mean no limit.
    pub fn set_limits(&self, read: Duration, write: Duration) -> io::Result<()> {
        let (read, write) = (at_least_something(read), at_least_something(write));
        match self {
            Stream::Tcp(stream) => {
                stream.set_read_timeout(read)?;
                stream.set_write_timeout(write)
            }
            Stream::Unix(stream) => {
                stream.set_read_timeout(read)?;
                stream.set_write_timeout(write)
            }
        }
    }

    /// True when every user of this machine can connect in this way.
    pub fn is_open_to_local_users(&self) -> bool {
        matches!(self, Stream::Tcp(_))
    }

    /// Closes one direction or both, for every thread.
    pub fn shutdown(&self, how: Shutdown) {
        // The other side may have closed it already.
        let _ = match self {
            Stream::Tcp(stream) => stream.shutdown(how),
            Stream::Unix(stream) => stream.shutdown(how),
        };
    }

    pub fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => (&*stream).read(buffer),
            Stream::Unix(stream) => (&*stream).read(buffer),
        }
    }

    pub fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Stream::Tcp(stream) => (&*stream).write_all(bytes),
            Stream::Unix(stream) => (&*stream).write_all(bytes),
        }
    }
}

fn at_least_something(limit: Duration) -> Option<Duration> {
    Some(limit.max(Duration::from_millis(1)))
}

impl std::fmt::Display for Listen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Listen::Port(address) => SocketAddr::fmt(address, f),
            Listen::File(path) => write!(f, "unix:{}", path.display()),
        }
    }
}
