//! The proxies, each with the configuration of its package, a certificate, and our lines.

use std::time::Duration;

use super::servers::{Running, certificate, start, wait_for};
use super::world::{run, write};

/// Where each proxy shows the pages without TLS, by the same lines, to a crowd.
pub const PLAIN: u16 = 8081;

const KEY: &str = "/etc/ssl/turnpost.key";
const CERTIFICATE: &str = "/etc/ssl/turnpost.pem";

/// Caddy, which makes a certificate by itself: without a network one of its own.
pub fn caddy(lines: &str) -> Running {
    let here = "local_certs\n\tskip_install_trust\n";
    let plain = format!("https://play.example.org, http://play.example.org:{PLAIN} {{");
    let lines = &lines.replace("play.example.org {", &plain);
    let file = match lines.split_once("\n{\n") {
        Some((comment, options)) => format!("{comment}\n{{\n\t{here}{options}"),
        None => format!("{{\n\t{here}}}\n{lines}"),
    };
    write("/etc/caddy/Caddyfile", &file);
    let command = "HOME=/var/lib/caddy exec caddy run --config /etc/caddy/Caddyfile";
    let running = start("sh", &["-c", command], "/var/log/caddy.log");
    wait_for(443);
    running
}

/// nginx with a `server` block.
pub fn nginx(lines: &str) -> Running {
    certificate("play.example.org", KEY, CERTIFICATE);
    write(
        "/etc/nginx/sites-enabled/turnpost",
        &format!(
            "server {{\nlisten 443 ssl;\nlisten {PLAIN};\nserver_name play.example.org;\nssl_certificate {CERTIFICATE};\n\
             ssl_certificate_key {KEY};\n{lines}\n}}\n"
        ),
    );
    let running = start("/usr/sbin/nginx", &["-g", "daemon off;"], "/var/log/nginx.out");
    wait_for(443);
    running
}

/// Apache with a `VirtualHost`, the modules that its lines name, and lines for the whole server.
pub fn apache(lines: &str, server: &str) -> Running {
    certificate("play.example.org", KEY, CERTIFICATE);
    let named = lines.lines().find(|line| line.contains("needs mod_")).unwrap();
    let named = named.split("mod_").skip(1).filter_map(|rest| rest.split([',', ' ', '.']).next());
    let debian = ["mpm_event", "authz_core", "ssl"];
    for module in debian.into_iter().chain(named) {
        run("a2enmod", &["--quiet", module]);
    }
    write("/etc/apache2/ports.conf", &format!("Listen 443\nListen {PLAIN}\n"));
    write("/etc/apache2/conf-enabled/turnpost.conf", server);
    // The system makes this one when it starts.
    std::fs::create_dir_all("/run/lock").unwrap();
    write(
        "/etc/apache2/sites-enabled/turnpost.conf",
        &format!(
            "<VirtualHost *:443>\nServerName play.example.org\nSSLEngine on\nSSLCertificateFile {CERTIFICATE}\n\
             SSLCertificateKeyFile {KEY}\n{lines}\n</VirtualHost>\n<VirtualHost *:{PLAIN}>\nServerName play.example.org\n{lines}\n</VirtualHost>\n"
        ),
    );
    let running = start("apache2ctl", &["-D", "FOREGROUND"], "/var/log/apache.out");
    wait_for(443);
    running
}

/// Waits until what a proxy has to log is written.
pub fn settle() {
    std::thread::sleep(Duration::from_millis(300));
}
