//! The steps that set up a second machine, and those that bring the first one back.

use super::mail_server::SetupStep;

/// Sets up the second machine; by the last step it serves when the first is gone.
pub(super) const STANDBY: &[SetupStep] = &[
    SetupStep {
        says: "second.example.org serves when first.example.org is gone. Install Turnpost on both, without `init` on\n\
               # second.example.org, and on both Litestream 0.5.17 or later. On first.example.org turnpost.toml needs these lines,\n\
               # so that `doctor` and /metrics look at what Litestream does:",
        lines: "[keep]\nreplica = \"litestream\"\n",
    },
    SetupStep {
        says: "On first.example.org make the key by which Litestream writes on second.example.org, and bring it there with\n\
               # turnpost.toml; the key of [dkim] too, if there is one. Run:",
        lines: packaged!("litestream/bring"),
    },
    SetupStep {
        says: "On second.example.org add below [keep] in turnpost.toml:",
        lines: "replica_folder = \"/var/backups/turnpost-replica\"\n",
    },
    SetupStep { says: "In /etc/ssh/sshd_config.d/turnpost.conf:", lines: packaged!("litestream/sshd.conf") },
    SetupStep { says: "There run:", lines: packaged!("litestream/second") },
    SetupStep {
        says: "Its mail server is the second MX, which keeps mail until first.example.org takes it. What `postconf mydestination`\n\
               # prints there must not name example.org. In the DNS, and for Postfix there in main.cf:",
        lines: "example.org.  MX  10 first.example.org.\nexample.org.  MX  20 second.example.org.\nrelay_domains = example.org\n",
    },
    SetupStep {
        says: "On first.example.org, in /etc/systemd/system/litestream.service:",
        lines: packaged!("litestream/litestream.service"),
    },
    SetupStep { says: "In /etc/turnpost/litestream.yml:", lines: packaged!("litestream/litestream.yml") },
    SetupStep { says: "There run:", lines: packaged!("litestream/first") },
    SetupStep {
        says: "When first.example.org is gone, keep it off. On second.example.org give its mail server the lines of\n\
               # `turnpost init`, in addition to relay_domains, and run this; docs/operations.md, \"The first machine is gone\":",
        lines: packaged!("litestream/promotion"),
    },
];

/// The steps before [`STANDBY`] when the machine that was gone returns as the second one: both change places.
pub(super) const RETURN: &[SetupStep] = &[
    SetupStep {
        says: "first.example.org serves. Start second.example.org without its services, as docs/operations.md says,\n\
               # take its lines for Turnpost out of its mail server, and run there:",
        lines: packaged!("litestream/aside"),
    },
    SetupStep {
        says: "On first.example.org take `replica_folder` out of turnpost.toml, and run:",
        lines: packaged!("litestream/alone"),
    },
];

/// The steps after [`STANDBY`] then.
pub(super) const SWITCH: &[SetupStep] = &[SetupStep {
    says: "To let second.example.org serve again, although first.example.org is well: when `doctor` on second.example.org\n\
           # finds no errors, run this on first.example.org, and then the lines above on second.example.org:",
    lines: packaged!("litestream/switch"),
}];
