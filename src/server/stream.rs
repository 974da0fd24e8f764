//! Sockets of both kinds.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::serve::Place;

/// Something that listens.
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

/// A connection. Reading and writing need no exclusive access, as with the sockets of the standard library.
pub(super) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Listener {
    /// Begins to listen.
    pub fn bind(place: &Place) -> io::Result<Listener> {
        match place {
            Place::Port(address) => TcpListener::bind(address).map(Listener::Tcp),
            Place::File(path) => {
                let listener = match UnixListener::bind(path) {
                    Err(why) if why.kind() == ErrorKind::AddrInUse && is_left_over(path) => {
                        fs::remove_file(path)?;
                        UnixListener::bind(path)?
                    }
                    bound => bound?,
                };
                // For the server's user and its group, which the mail server's user is made a member of.
                fs::set_permissions(path, fs::Permissions::from_mode(0o660))?;
                Ok(Listener::Unix(listener, path.clone()))
            }
        }
    }

    pub fn accept(&self) -> io::Result<Stream> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                // Answers are short and waited for.
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
            Listener::Unix(listener, _) => Ok(Stream::Unix(listener.accept()?.0)),
        }
    }

    /// Where it listens: the real port, where any was asked for.
    pub fn place(&self) -> io::Result<Place> {
        Ok(match self {
            Listener::Tcp(listener) => Place::Port(listener.local_addr()?),
            Listener::Unix(_, path) => Place::File(path.clone()),
        })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Unix(_, path) = self {
            // Left over, it would be found and removed by the next start.
            let _ = fs::remove_file(path);
        }
    }
}

/// Whether nobody listens at this socket any more.
fn is_left_over(path: &Path) -> bool {
    UnixStream::connect(path).is_err_and(|why| why.kind() == ErrorKind::ConnectionRefused)
}

/// Wakes a thread that waits in [`Listener::accept`] there; tells whether it could be reached. Where somebody removed
/// the file of a socket, nobody can.
pub(super) fn wake(place: &Place) -> bool {
    match place {
        Place::Port(address) => TcpStream::connect_timeout(address, Duration::from_secs(1)).is_ok(),
        Place::File(path) => UnixStream::connect(path).is_ok(),
    }
}

impl Stream {
    /// How long reading, and how long writing, may take; at least a millisecond, since none would mean for ever.
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

    /// Ends one direction or both, for every thread that uses it.
    pub fn shutdown(&self, how: Shutdown) {
        // One that the other side has ended cannot be ended again.
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

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Port(address) => SocketAddr::fmt(address, f),
            Place::File(path) => write!(f, "unix:{}", path.display()),
        }
    }
}
