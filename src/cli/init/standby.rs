//! What a second machine needs that is to serve when the first one is gone.

use super::mail_server::SetupStep;

pub(super) const STANDBY: &[SetupStep] = &[
    SetupStep {
        says: "The second machine, here second.example.org. Install Turnpost on both, with the same turnpost.toml and the same\n\
               # key of [dkim], and on both Litestream 0.5.17 or later. On the first, in /etc/systemd/system/litestream.service:",
        lines: packaged!("litestream/litestream.service"),
    },
    SetupStep { says: "In /etc/turnpost/litestream.yml:", lines: packaged!("litestream/litestream.yml") },
    SetupStep {
        says: "In turnpost.toml, so that `doctor` and /metrics look at what Litestream does:",
        lines: "[keep]\nreplica = \"litestream\"\n",
    },
    SetupStep {
        says: "And on the second, below these:",
        lines: "replica_folder = \"/var/backups/turnpost-replica\"\n",
    },
    SetupStep {
        says: "On the second, in /etc/ssh/sshd_config; the key that the first makes below goes to /etc/turnpost/litestream.pub:",
        lines: packaged!("litestream/sshd.conf"),
    },
    SetupStep { says: "There run:", lines: packaged!("litestream/second") },
    SetupStep {
        says: "Its mail server is the second MX, which keeps mail until the first takes it. In the DNS, and for Postfix there\n\
               # in main.cf:",
        lines: "example.org.  MX  10 first.example.org.\nexample.org.  MX  20 second.example.org.\nrelay_domains = example.org\n",
    },
    SetupStep { says: "On the first run:", lines: packaged!("litestream/first") },
    SetupStep {
        says: "When the first is gone, keep it off, and on the second take out relay_domains, put in the lines of `turnpost init`\n\
               # for its mail server, and run this; docs/operations.md, \"The first machine is gone\":",
        lines: packaged!("litestream/promotion"),
    },
];
