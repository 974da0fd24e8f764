//! `admin mail ID --retry | --cancel` and `admin address ADDRESS --resume | --stop`.

use super::{ActContext, Acted, AddressAct, MailAct};
use crate::failure::{CommandError, refuse};
use crate::store::{ActKind, MailState, SendOutcome};

impl ActContext<'_> {
    pub(crate) fn on_mail(&self, mail: i64, act: MailAct) -> Result<Acted, CommandError> {
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

    pub(crate) fn on_address(&self, address: &str, act: AddressAct) -> Result<Acted, CommandError> {
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
                if stopped.is_empty() {
                    return match (confirmed.is_empty(), owners.is_empty()) {
                        (false, _) => refuse!("mail goes to {address} as it is"),
                        (true, false) => refuse!(
                            "{address} was never confirmed; `turnpost admin user USERID --add-address` does that"
                        ),
                        (true, true) => refuse!("{address} is nobody's address"),
                    };
                }
                for (player, _, _) in &stopped {
                    self.store.confirm_address(*player, address, self.now)?;
                }
                Acted::new(ActKind::ResumeAddress, format!("Mail goes to {address} again."))
            }
        };
        let mut players = owners.iter().map(|(player, _, _)| *player);
        (acted.log.player, acted.log.other) = (players.next(), players.next());
        Ok(if owners.is_empty() { acted } else { acted.address(address) })
    }
}
