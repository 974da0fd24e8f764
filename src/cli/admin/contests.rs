//! `turnpost admin contests`, `turnpost admin contest`: open and running contests, and the table of one.

use minijinja::context;

use super::listing::{Output, field};
use super::tables::{minute, pretty};
use crate::cli::{Instance, print};
use crate::clock;
use crate::contest::ladder_games::Ladder;
use crate::contest::record::Contest;
use crate::error::HostError;
use crate::notices::contest_view::{ContestView, contest_view};
use crate::notices::decisions::decisions;
use crate::notices::ladder_view::view_of_places;
use crate::notices::transcript::data;
use crate::store::ContestForm;

pub(super) fn contest(server: &Instance, name: &str, output: &Output) -> Result<(), HostError> {
    let store = &server.store;
    let row =
        store.contest_named(name)?.ok_or_else(|| HostError::Asked(format!("there is no contest {name}")))?;
    let contest = Contest::load(store, &row)?;
    let view = ContestView { decisions: decisions(store, &contest)?, ..contest_view(store, &contest)? };
    let now = clock::now();
    let ladder = match row.form {
        ContestForm::Ladder => {
            let ladder = Ladder::look(store, contest, now)?;
            Some(view_of_places(store, &ladder, None, |_| true, now)?)
        }
        _ => None,
    };
    if output.json {
        let mut json = serde_json::to_value(&view).unwrap_or_default();
        if let Some(ladder) = &ladder {
            json["places"] = serde_json::to_value(&ladder.rows).unwrap_or_default();
        }
        return print(&pretty(&json));
    }
    let mut page = String::new();
    field(&mut page, "contest", &format!("{}, {} of {}, {}", row.name, row.form, row.game, row.state));
    field(&mut page, "made by", view.maker.as_deref().unwrap_or_default());
    field(&mut page, "options", &view.options.join(" "));
    field(&mut page, "joined", &row.entrants.to_string());
    field(&mut page, "changed", &minute(row.changed_at));
    if !view.groups.is_empty() || !view.joined.is_empty() || !view.decisions.is_empty() {
        let shown = if view.groups.is_empty() && view.joined.is_empty() {
            "contest/decisions.md"
        } else {
            "contest/table.md"
        };
        let table = context! { c => data(&view), zone => "UTC" };
        let table = server.app.templates.text(shown, table).map_err(crate::failure::Error::from)?;
        page.push_str(&format!("\n{}", table));
    }
    if let Some(ladder) = ladder.filter(|ladder| !ladder.rows.is_empty()) {
        let places = context! { l => data(&ladder) };
        let places =
            server.app.templates.text("ladder-places.md", places).map_err(crate::failure::Error::from)?;
        page.push_str(&format!("\n{}", places));
    }
    print(page.trim_end())
}
