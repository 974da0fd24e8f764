//! The steps to set up each mail server. The lines are files of `packaging`, with which tests play games.

use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MailServer {
    /// Postfix starts a process for each mail
    PostfixPipe,
    /// Postfix hands mail to `turnpost serve`
    PostfixLmtp,
    /// OpenSMTPD starts a process for each mail
    Opensmtpd,
    /// Exim starts a process for each mail
    Exim,
    /// A mailbox at a provider, fetched by getmail
    Mailbox,
}

impl MailServer {
    /// The mail server whose settings are on this machine.
    pub fn of_this_machine() -> Option<MailServer> {
        let places = [
            ("/etc/postfix/main.cf", MailServer::PostfixLmtp),
            ("/etc/exim4", MailServer::Exim),
            ("/etc/smtpd.conf", MailServer::Opensmtpd),
        ];
        places.into_iter().find(|(place, _)| Path::new(place).exists()).map(|(_, kind)| kind)
    }

    pub(super) fn steps(self) -> &'static [SetupStep] {
        match self {
            MailServer::PostfixPipe => POSTFIX_PIPE,
            MailServer::PostfixLmtp => POSTFIX_LMTP,
            MailServer::Opensmtpd => OPENSMTPD,
            MailServer::Exim => EXIM,
            MailServer::Mailbox => MAILBOX,
        }
    }
}

/// A step for the host: what to do, and the lines.
#[derive(Clone, Copy)]
pub(super) struct SetupStep {
    pub says: &'static str,
    pub lines: &'static str,
}

const MAIN_CF: &str = "In /etc/postfix/main.cf, where mydestination or relay_domains must name example.org, or mail from other\n\
                       # machines is refused; where transport_maps and local_recipient_maps are set already, add to them:";

const POSTFIX_PIPE: &[SetupStep] = &[
    SetupStep { says: "In /etc/postfix/master.cf:", lines: packaged!("postfix/master.cf") },
    SetupStep { says: MAIN_CF, lines: packaged!("postfix/main.cf") },
    SetupStep { says: "In /etc/postfix/transport:", lines: packaged!("postfix/transport") },
    SetupStep { says: "Then run:", lines: "postmap /etc/postfix/transport && postfix reload\n" },
    TIMERS,
];

const POSTFIX_LMTP: &[SetupStep] = &[
    SetupStep { says: "The folder of the socket file. Run:", lines: packaged!("postfix/socket") },
    SetupStep { says: MAIN_CF, lines: packaged!("postfix/main-lmtp.cf") },
    SetupStep { says: "In /etc/postfix/transport:", lines: packaged!("postfix/transport-lmtp") },
    SetupStep { says: "Then run:", lines: "postmap /etc/postfix/transport && postfix reload\n" },
    SERVE,
];

const OPENSMTPD: &[SetupStep] = &[
    SetupStep {
        says: "In smtpd.conf, above the rules for the rest of the domain:",
        lines: packaged!("opensmtpd/smtpd.conf"),
    },
    TIMERS,
];

const EXIM: &[SetupStep] = &[
    SetupStep {
        says: "A router of Exim, above those for the rest of the domain:",
        lines: packaged!("exim/router"),
    },
    SetupStep { says: "A transport of Exim:", lines: packaged!("exim/transport") },
    TIMERS,
];

const MAILBOX: &[SetupStep] = &[
    SetupStep {
        says: "In /var/lib/turnpost/getmail/getmailrc, which only _turnpost can read; server and password are your provider's:",
        lines: packaged!("getmail/getmailrc"),
    },
    SetupStep {
        says: "In the crontab of _turnpost, to fetch the mail:",
        lines: "*/5 * * * *  getmail --quiet --getmaildir /var/lib/turnpost/getmail\n",
    },
    SetupStep {
        says: "Mail leaves by your provider too: set these in the configuration, with `transport = \"smtp\"` of [mail]:",
        lines: "[smtp]\nhost = \"smtp.example.org\"\nport = 465\ntls = \"tls\"\nuser = \"play@example.org\"\npassword = \"the-mailbox-password\"\n",
    },
    TIMERS,
];

/// Sending and the clocks, which `receive` does not do.
const TIMERS: SetupStep = SetupStep {
    says: "Sending and the clocks: `systemctl enable --now turnpost-deliver.timer turnpost-tick.timer` where \
           these timers are installed; elsewhere this, in the crontab of _turnpost:",
    lines: packaged!("crontab"),
};

const SERVE: SetupStep = SetupStep {
    says: "The server: `systemctl enable --now turnpost` where its unit is installed; elsewhere, as _turnpost:",
    lines: "/usr/local/bin/turnpost --data /var/lib/turnpost serve\n",
};

pub(super) const CHECK: SetupStep = SetupStep {
    says: "At last, see whether all is well, and whether mail finds the way out and back:",
    lines: "sudo -u _turnpost /usr/local/bin/turnpost --data /var/lib/turnpost doctor --round-trip\n",
};

#[cfg(test)]
mod tests {
    #[test]
    fn lmtp_needs_the_beginning_of_what_a_pipe_needs() {
        assert!(packaged!("postfix/main.cf").starts_with(packaged!("postfix/main-lmtp.cf")));
    }
}
