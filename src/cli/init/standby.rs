//! What a second machine needs that is to serve when the first one is gone.

use super::mail_server::SetupStep;

pub(super) const STANDBY: &[SetupStep] = &[
    SetupStep {
        says: "The second machine, here second.example.org, serves when this one, the first, is gone. Install Turnpost on both, without\n\
               # `init` on the second, and on both Litestream 0.5.17 or later. On the first add to turnpost.toml, so that `doctor`\n\
               # and /metrics look at what Litestream does:",
        lines: "[keep]\nreplica = \"litestream\"\n",
    },
    SetupStep {
        says: "There make the key by which Litestream writes on the second, and bring it there with turnpost.toml; the key of\n\
               # [dkim] too, where there is one. Run:",
        lines: packaged!("litestream/bring"),
    },
    SetupStep {
        says: "On the second add below [keep] in turnpost.toml:",
        lines: "replica_folder = \"/var/backups/turnpost-replica\"\n",
    },
    SetupStep { says: "In /etc/ssh/sshd_config.d/turnpost.conf:", lines: packaged!("litestream/sshd.conf") },
    SetupStep { says: "There run:", lines: packaged!("litestream/second") },
    SetupStep {
        says: "Its mail server is the second MX, which keeps mail until the first takes it. What `postconf mydestination` prints\n\
               # there must not name example.org. In the DNS, and for Postfix there in main.cf:",
        lines: "example.org.  MX  10 first.example.org.\nexample.org.  MX  20 second.example.org.\nrelay_domains = example.org\n",
    },
    SetupStep {
        says: "On the first, in /etc/systemd/system/litestream.service:",
        lines: packaged!("litestream/litestream.service"),
    },
    SetupStep { says: "In /etc/turnpost/litestream.yml:", lines: packaged!("litestream/litestream.yml") },
    SetupStep { says: "There run:", lines: packaged!("litestream/first") },
    SetupStep {
        says: "When the first is gone, keep it off. On the second give its mail server the lines of `turnpost init`, beside\n\
               # relay_domains, and run this; docs/operations.md, \"The first machine is gone\":",
        lines: packaged!("litestream/promotion"),
    },
];
