//! `admin mail ID --retry | --cancel`, `admin address ADDRESS --resume | --stop` and `admin ban SENDER`.

use jiff::Timestamp;

use super::{ActContext, Acted, AddressAct, BanAct, MailAct};
use crate::credentials::one_entry::must_bring_no_second_entry;
use crate::failure::{CommandError, refuse};
use crate::language::values::read_address;
use crate::store::{ActKind, MailState, SendOutcome};

/// Maximum players with a banned address that the reply to the host names.
const NAMED: usize = 10;

impl ActContext<'_> {
    pub(crate) fn on_mail(&self, mail: i64, act: &MailAct) -> Result<Acted, CommandError> {
        let Some(found) = self.store.outgoing_state(mail)? else {
            return refuse!("there is no mail {mail}");
        };
        let is_waiting = found.state == MailState::Waiting;
        if is_waiting && found.is_leased {
            return refuse!("mail {mail} is being sent at this moment: look again in a minute");
        }
        let mut acted = match act {
            MailAct::Retry => {
                if !found.is_whole {
                    return refuse!("the text of mail {mail} is no longer kept, so it cannot be sent");
                }
                self.store.send_again(mail, self.now)?;
                Acted::new(ActKind::RetryMail, format!("Mail {mail} leaves with the next ones."))
            }
            MailAct::Cancel => {
                if !is_waiting {
                    return refuse!("mail {mail} does not wait: it is {}", found.state);
                }
                let outcome = SendOutcome::Failed("the host gave it up".to_owned());
                self.store.settle_mail(mail, &outcome, self.now)?;
                Acted::new(ActKind::CancelMail, format!("Mail {mail} will not be sent."))
            }
        };
        (acted.log.mail, acted.log.player) = (Some(mail), found.player);
        Ok(acted)
    }

    /// Sends again the mails sent since `since`. After a failover, some may be left in the lost machine's mail queue.
    pub(crate) fn retry_mails(&self, since: Timestamp) -> Result<Acted, CommandError> {
        let (again, lost) = self.store.send_again_since(since, self.now)?;
        let left = since.strftime("%Y-%m-%d %H:%M UTC");
        let said = format!(
            "Of the mails that left since {left} {again} leave again, under their Message-IDs; the text of {lost} is no \
             longer kept."
        );
        Ok(Acted::new(ActKind::RetryMail, said).detail(format!("{again} mails since {left}")))
    }

    pub(crate) fn on_address(&self, address: &str, act: &AddressAct) -> Result<Acted, CommandError> {
        let owners = self.store.owners_of(address)?;
        let (confirmed, stopped): (Vec<_>, Vec<_>) = (
            owners.iter().filter(|(_, confirmed, _)| *confirmed).collect(),
            owners.iter().filter(|(_, _, stopped)| *stopped).collect(),
        );
        let mut acted = match act {
            AddressAct::Stop => {
                let watched = self.store.stop_address(address, self.now)?;
                if confirmed.is_empty() && watched == 0 {
                    return match (stopped.is_empty(), owners.is_empty()) {
                        (false, _) => refuse!(
                            "mail to {address} is stopped already; `turnpost admin address {address} --resume` ends that"
                        ),
                        (true, false) => refuse!(
                            "{address} was never confirmed: nothing goes there but the mail that asks for it"
                        ),
                        (true, true) => refuse!("nothing is sent to {address}: nobody's address is that"),
                    };
                }
                Acted::new(ActKind::StopAddress, format!("No more mail goes to {address}."))
            }
            AddressAct::Resume => {
                if stopped.is_empty() && !self.store.end_stop(address)? {
                    return match (confirmed.is_empty(), owners.is_empty()) {
                        (false, _) => refuse!("mail goes to {address} as it is"),
                        (true, false) => refuse!(
                            "{address} was never confirmed; `turnpost admin user USERID --add-address` does that"
                        ),
                        (true, true) => refuse!("{address} is nobody's address"),
                    };
                }
                for (player, _, _) in &stopped {
                    must_bring_no_second_entry(self.store, *player, address)?;
                    self.store.confirm_address(*player, address, self.now)?;
                }
                Acted::new(ActKind::ResumeAddress, format!("Mail goes to {address} again."))
            }
        };
        let mut players = owners.iter().map(|(player, _, _)| *player);
        (acted.log.player, acted.log.other) = (players.next(), players.next());
        Ok(if owners.is_empty() { acted } else { acted.address(address) })
    }

    /// Bans an address or a domain, or lifts its ban. The log names an address only if a player has it.
    pub(crate) fn on_sender(&self, sender: &str, act: BanAct) -> Result<Acted, CommandError> {
        let domain = sender.strip_prefix('@').or(Some(sender).filter(|sender| !sender.contains('@')));
        let read = read_address(&domain.map_or(sender.to_owned(), |domain| format!("x@{domain}")));
        let Ok(address) = read else {
            return refuse!(
                "{sender} is neither an address such as eve@example.org nor a domain such as example.org"
            );
        };
        let key = if domain.is_some() { address.trim_start_matches('x') } else { &address };
        if self.server.address.ends_with(key) || sender.contains('*') {
            return refuse!(
                "{sender} is not banned: name one address of somebody else, or a domain, which covers all below it"
            );
        }
        let players = self.store.players_of_banned(key)?;
        let acted = match act {
            BanAct::Ban => {
                if !self.store.ban(key, self.reason, self.now)? {
                    return refuse!(
                        "{sender} is banned already; `turnpost admin ban {sender} --lift` ends that"
                    );
                }
                let mut said = format!(
                    "Letters from {sender} do nothing, the first is answered with your address, and no account gets such \
                     an address."
                );
                for player in players.iter().take(NAMED) {
                    let userid = self.store.player_by_id(*player)?.userid;
                    said += &format!(
                        "\n{userid} has one: `turnpost admin user {userid} --suspend REASON` ends pages too."
                    );
                }
                Acted::new(ActKind::Ban, said)
            }
            BanAct::Lift => {
                if !self.store.lift_ban(key)? {
                    return refuse!("{sender} is not banned by itself: `turnpost admin ban` lists what is");
                }
                Acted::new(ActKind::LiftBan, format!("Letters from {sender} are read like others again."))
            }
        };
        let mut acted = acted.detail(if domain.is_some() { key } else { "" });
        (acted.log.player, acted.log.other) = (players.first().copied(), players.get(1).copied());
        Ok(if domain.is_some() || players.is_empty() { acted } else { acted.address(key) })
    }
}
