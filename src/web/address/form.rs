//! The forms in which a page or a board is shown.

/// The format of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A page for people.
    Html,
    /// Data for programs.
    Json,
}

/// The form in which a board or a contest is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Page,
    Svg,
    Dark,
    Png,
    Text,
    Json,
    Record,
    /// The record in the format of this name.
    Notation(&'static str),
    Atom,
    /// A table as comma-separated values.
    Csv,
    /// A table as a tournament file of FIDE.
    Trf,
    /// All positions, for the page that steps through them.
    Steps,
}

impl Form {
    /// True if the form shows only the board: it never changes after the game is over.
    pub fn is_drawn(self) -> bool {
        matches!(self, Form::Svg | Form::Dark | Form::Png | Form::Text)
    }

    /// The page as JSON, if a program asks for it.
    pub fn or_json(self, format: Format) -> Form {
        if format == Format::Json && self == Form::Page { Form::Json } else { self }
    }

    pub(super) fn named(ending: &str) -> Option<Form> {
        Some(match ending {
            "svg" => Form::Svg,
            "dark.svg" => Form::Dark,
            "png" => Form::Png,
            "txt" => Form::Text,
            "record" => Form::Record,
            "atom" => Form::Atom,
            "steps" => Form::Steps,
            _ => return None,
        })
    }
}
