//! The declarations of CSS that bear on whether text is shown.

/// A length up to this many pixels or points is no size.
const SPECK: f32 = 1.0;
/// Text further out than this many pixels is out of sight.
const AWAY: f32 = -500.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Display,
    Visibility,
    Opacity,
    FontSize,
    Color,
    Overflow,
    Height,
    MaxHeight,
    Width,
    MaxWidth,
    Position,
    Offset,
    Outside,
}

pub(super) const PROPERTIES: usize = 13;

/// A declaration that bears on whether text is shown; `on` is its value, reduced to what hides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Declaration {
    pub property: Property,
    pub on: bool,
    pub important: bool,
}

pub(super) fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out
}

/// Undoes escapes: `d\69splay` is `display`.
fn unescape(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut chars = css.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let mut code = 0;
        let mut digits = 0;
        while digits < 6
            && let Some(digit) = chars.peek().and_then(|c| c.to_digit(16))
        {
            code = code * 16 + digit;
            digits += 1;
            chars.next();
        }
        if digits > 0 {
            out.extend(char::from_u32(code));
            chars.next_if(char::is_ascii_whitespace);
        }
    }
    out
}

pub(super) fn declarations(css: &str) -> Vec<Declaration> {
    let plain = unescape(&without_comments(css)).to_lowercase();
    plain.split(';').filter_map(declaration).collect()
}

fn declaration(text: &str) -> Option<Declaration> {
    let (name, value) = text.split_once(':')?;
    let (value, important) = match value.split_once('!') {
        Some((value, mark)) => (value, mark.trim() == "important"),
        None => (value, false),
    };
    let value = value.trim();
    let (property, on) = match name.trim() {
        "display" => (Property::Display, display(value)?),
        "visibility" => (Property::Visibility, visibility(value)?),
        "content-visibility" => (Property::Outside, value == "hidden"),
        "opacity" => (Property::Opacity, number(value)?.0 <= 0.01),
        "zoom" | "scale" => (Property::Outside, number(value)?.0.abs() <= 0.01),
        "filter" => (Property::Opacity, within(value, "opacity").is_some_and(|amount| amount <= 0.01)),
        "font-size" => (Property::FontSize, font_size(value)?),
        "font" => (Property::FontSize, value.split_whitespace().find_map(font_size)?),
        "color" => (Property::Color, is_clear(value)),
        "overflow" | "overflow-x" | "overflow-y" => (Property::Overflow, !value.starts_with("visible")),
        "height" => (Property::Height, is_speck(value)),
        "max-height" => (Property::MaxHeight, is_speck(value)),
        "width" => (Property::Width, is_speck(value)),
        "max-width" => (Property::MaxWidth, is_speck(value)),
        "position" => (Property::Position, matches!(value, "absolute" | "fixed" | "relative")),
        "left" | "right" | "top" | "bottom" | "inset" => (Property::Offset, is_away(value)),
        "text-indent" | "margin-left" | "margin-top" | "translate" | "letter-spacing" => {
            (Property::Outside, is_away(value))
        }
        "transform" => {
            let flat = ["scale", "scalex", "scaley"];
            let flat = flat.iter().any(|name| within_exactly(value, name).is_some_and(|by| by.abs() <= 0.01));
            (Property::Outside, flat || value.split_once("translate").is_some_and(|(_, to)| moves_away(to)))
        }
        "clip" => (Property::Outside, is_clipped(value)),
        "clip-path" => (Property::Outside, is_cut_off(value)),
        _ => return None,
    };
    Some(Declaration { property, on, important })
}

/// `None` for a word that CSS does not know: the declaration before it then holds.
fn display(value: &str) -> Option<bool> {
    const SHOWN: [&str; 27] = [
        "block",
        "inline",
        "inline-block",
        "flex",
        "inline-flex",
        "grid",
        "inline-grid",
        "table",
        "inline-table",
        "table-row",
        "table-cell",
        "table-row-group",
        "table-header-group",
        "table-footer-group",
        "table-column",
        "table-column-group",
        "table-caption",
        "list-item",
        "contents",
        "flow-root",
        "run-in",
        "initial",
        "inherit",
        "unset",
        "revert",
        "ruby",
        "flow",
    ];
    (value == "none").then_some(true).or_else(|| SHOWN.contains(&value).then_some(false))
}

fn visibility(value: &str) -> Option<bool> {
    match value {
        "hidden" | "collapse" => Some(true),
        "visible" | "initial" => Some(false),
        _ => None,
    }
}

/// A number and its unit.
fn number(value: &str) -> Option<(f32, &str)> {
    let end =
        value.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(value.len());
    let (figures, unit) = value.split_at_checked(end)?;
    Some((figures.parse().ok()?, unit.trim()))
}

/// The size of letters: too small to be read or not; `None` where it depends on the parent's.
fn font_size(value: &str) -> Option<bool> {
    let value = value.strip_prefix("calc(").map_or(value, |inside| inside.trim_end_matches(')'));
    let (size, unit) = number(value.split('/').next()?.trim())?;
    match unit {
        "px" | "pt" => Some(size <= SPECK),
        // A number alone is a weight, or no length.
        "" => (size == 0.0).then_some(true),
        "em" | "%" | "ex" | "ch" => (size == 0.0).then_some(true),
        _ => Some(size == 0.0),
    }
}

fn is_speck(value: &str) -> bool {
    number(value).is_some_and(|(size, unit)| size <= if matches!(unit, "px" | "pt") { SPECK } else { 0.0 })
}

fn is_away(value: &str) -> bool {
    number(value)
        .is_some_and(|(size, unit)| size <= if matches!(unit, "px" | "pt") { AWAY } else { AWAY / 10.0 })
}

/// True for `x(-9999px)` and the like behind `translate`.
fn moves_away(translate: &str) -> bool {
    translate
        .split_once('(')
        .is_some_and(|(_, to)| is_away(to.split([')', ',']).next().unwrap_or_default().trim()))
}

fn within_exactly(value: &str, function: &str) -> Option<f32> {
    let (_, inside) = value.split_once(&format!("{function}("))?;
    number(inside.trim()).map(|(amount, _)| amount)
}

/// The first number in the brackets of a function: `scale(0)`.
fn within(value: &str, function: &str) -> Option<f32> {
    let (_, rest) = value.split_once(function)?;
    let (_, inside) = rest.split_once('(')?;
    number(inside.trim()).map(|(amount, _)| amount)
}

fn is_clear(value: &str) -> bool {
    let alpha =
        || value.trim_end_matches(')').rsplit([',', '/']).next().and_then(|alpha| number(alpha.trim()));
    value == "transparent"
        || has_alpha(value) && alpha().is_some_and(|(amount, _)| amount == 0.0)
        || value.len() == 5 && value.starts_with('#') && value.ends_with('0')
        || value.len() == 9 && value.starts_with('#') && value.ends_with("00")
}

/// True for a colour with its opacity behind the third comma or a slash: `rgba(0,0,0,0)`, `hsl(0 0% 0% / 0)`.
fn has_alpha(value: &str) -> bool {
    (value.starts_with("rgb") || value.starts_with("hsl"))
        && (value.contains('/') || value.matches(',').count() == 3)
}

/// `rect(0 0 0 0)`, `rect(1px, 1px, 1px, 1px)`
fn is_clipped(value: &str) -> bool {
    let Some(inside) = value.strip_prefix("rect(") else { return false };
    let mut sides = inside.trim_end_matches(')').split([' ', ',']).filter(|side| !side.is_empty());
    sides.all(|side| number(side).is_some_and(|(size, _)| size <= SPECK))
}

fn is_cut_off(value: &str) -> bool {
    within(value, "circle").is_some_and(|size| size == 0.0)
        || within(value, "inset").is_some_and(|side| side >= 50.0)
}
