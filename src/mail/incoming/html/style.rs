//! Finds elements that a mail program would not show, by the kinds of CSS with which mails hide text.
//!
//! Inline declarations count, and rules of `<style>` for a name, a class or both: `p`, `.x`, `p.x`. A child can undo
//! `visibility` and `font-size`; the others hide everything inside. Struck-out text counts as hidden.

use std::collections::HashMap;

use html5gum::{StartTag, Token};

use super::elements::{DROPPED, STRUCK, attribute, tokens};

/// Why the text of an element is not shown. Children inherit it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Hidden {
    /// Nothing inside is shown. No style of a child undoes this.
    pub gone: bool,
    pub invisible: bool,
    pub zero_size: bool,
}

impl Hidden {
    pub fn any(self) -> bool {
        self.gone || self.invisible || self.zero_size
    }
}

#[derive(Debug, Clone, Copy)]
enum Property {
    Display,
    Visibility,
    FontSize,
    Decoration,
    OfOutlook,
}

const PROPERTIES: usize = 5;

/// Decides between declarations of one property: `!important`, then the specificity of the selector, then the
/// position. The greatest wins.
type Rank = (bool, u8, usize);

/// For each property, the winning declaration so far, and whether it hides.
#[derive(Debug, Clone, Copy, Default)]
struct Values([Option<(Rank, bool)>; PROPERTIES]);

impl Values {
    fn set(&mut self, property: Property, hides: bool, rank: Rank) {
        if let Some(value) = self.0.get_mut(property as usize)
            && value.is_none_or(|(older, _)| older <= rank)
        {
            *value = Some((rank, hides));
        }
    }

    fn add(&mut self, declarations: &str, specificity: u8, place: usize) {
        for (property, hides, important) in declarations.split(';').filter_map(declaration) {
            self.set(property, hides, (important, specificity, place));
        }
    }

    fn merge(&mut self, other: &Values) {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = (*value).max(other);
        }
    }

    fn hides(&self, property: Property) -> Option<bool> {
        self.0.get(property as usize).copied().flatten().map(|(_, hides)| hides)
    }
}

const BY_NAME: u8 = 1;
const BY_CLASS: u8 = 2;
const BY_BOTH: u8 = 3;
const INLINE: u8 = 4;

/// The rules of a page's `<style>` elements, by selector.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    rules: HashMap<String, Values>,
    read: usize,
}

impl Sheet {
    /// The rules of all `<style>` elements of a page. They also apply to the elements above them.
    pub fn of(html: &str) -> Sheet {
        let mut sheet = Sheet::default();
        if !html.as_bytes().windows(6).any(|tag| tag.eq_ignore_ascii_case(b"<style")) {
            return sheet;
        }
        let (mut inside, mut css) = (false, String::new());
        for token in tokens(html) {
            match token {
                Token::StartTag(tag) => inside = &*tag.name == b"style",
                Token::EndTag(_) if inside => {
                    inside = false;
                    sheet.add(&std::mem::take(&mut css));
                }
                Token::String(text) if inside => css.push_str(&String::from_utf8_lossy(&text)),
                _ => {}
            }
        }
        sheet.add(&css);
        sheet
    }

    fn add(&mut self, css: &str) {
        let css = without_comments(css);
        let mut rest = css.as_str();
        while let Some((head, after)) = rest.split_once('{') {
            let head = head.rsplit([';', '}']).next().unwrap_or(head).trim();
            // Rules for only phones or paper do not count.
            if head.starts_with('@') {
                rest = after_block(after);
                continue;
            }
            let (body, after) = after.split_once('}').unwrap_or((after, ""));
            self.rule(head, &body.to_lowercase());
            rest = after;
        }
    }

    fn rule(&mut self, selectors: &str, body: &str) {
        self.read += 1;
        let values = [BY_NAME, BY_CLASS, BY_BOTH].map(|specificity| {
            let mut values = Values::default();
            values.add(body, specificity, self.read);
            values
        });
        if values.iter().all(|values| values.0.iter().all(Option::is_none)) {
            return;
        }
        let selectors = selectors.trim_start_matches(|c: char| "<!-}".contains(c) || c.is_ascii_whitespace());
        for selector in selectors.split(',').map(|selector| selector.trim().to_lowercase()) {
            let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
            let [by_name, by_class, by_both] = &values;
            let values = match selector.split_once('.') {
                None if selector == "*" || selector.chars().all(is_plain) => by_name,
                Some((name, class)) if [name, class].iter().all(|word| word.chars().all(is_plain)) => {
                    if name.is_empty() { by_class } else { by_both }
                }
                _ => continue,
            };
            self.rules.entry(selector).or_default().merge(values);
        }
    }

    /// How an element is hidden, given its parent.
    pub fn hides(&self, name: &str, tag: &StartTag<()>, parent: Hidden) -> Hidden {
        if parent.gone || DROPPED.contains(&name) || STRUCK.contains(&name) {
            return Hidden { gone: true, ..parent };
        }
        let mut values = Values::default();
        // The attribute is the weakest way to say `display: none`.
        if tag.attributes.contains_key(b"hidden".as_slice()) {
            values.set(Property::Display, true, Rank::default());
        }
        if !self.rules.is_empty() {
            let classes = attribute(tag, "class").to_lowercase();
            let mut selectors = vec!["*".to_owned(), name.to_owned()];
            selectors.extend(
                classes.split_whitespace().flat_map(|class| [format!(".{class}"), format!("{name}.{class}")]),
            );
            for rule in selectors.iter().filter_map(|selector| self.rules.get(selector)) {
                values.merge(rule);
            }
        }
        values.add(&without_comments(&attribute(tag, "style")).to_lowercase(), INLINE, 0);
        let gone = [Property::Display, Property::Decoration, Property::OfOutlook];
        Hidden {
            gone: gone.iter().any(|property| values.hides(*property) == Some(true)),
            invisible: values.hides(Property::Visibility).unwrap_or(parent.invisible),
            zero_size: values.hides(Property::FontSize).unwrap_or(parent.zero_size),
        }
    }
}

/// A declaration in lower case: its property, whether it hides, and whether it is important. `None` for other
/// properties and for values unknown to CSS, after which the earlier declaration still holds.
fn declaration(text: &str) -> Option<(Property, bool, bool)> {
    let (name, value) = text.split_once(':')?;
    let (value, important) = match value.split_once('!') {
        Some((value, mark)) => (value, mark.trim() == "important"),
        None => (value, false),
    };
    let value = value.trim();
    let (property, hides) = match name.trim() {
        "display" => (Property::Display, display(value)?),
        "visibility" => (Property::Visibility, visibility(value)?),
        "font-size" => (Property::FontSize, font_size(value)?),
        "font" => (Property::FontSize, value.split_whitespace().find_map(font_size)?),
        "text-decoration" | "text-decoration-line" => (Property::Decoration, value.contains("line-through")),
        "mso-hide" => (Property::OfOutlook, value == "all"),
        _ => return None,
    };
    Some((property, hides, important))
}

fn display(value: &str) -> Option<bool> {
    const SHOWN: [&str; 14] = [
        "block",
        "inline",
        "flex",
        "grid",
        "table",
        "list-item",
        "contents",
        "flow",
        "run-in",
        "initial",
        "inherit",
        "unset",
        "revert",
        "ruby",
    ];
    (value == "none")
        .then_some(true)
        .or_else(|| SHOWN.iter().any(|word| value.starts_with(word)).then_some(false))
}

fn visibility(value: &str) -> Option<bool> {
    match value {
        "hidden" | "collapse" => Some(true),
        "visible" | "initial" => Some(false),
        _ => None,
    }
}

/// True if letters have no size; `None` if that depends on the parent's size.
fn font_size(value: &str) -> Option<bool> {
    let size = value.split('/').next()?;
    let end = size.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(size.len());
    let (figures, unit) = size.split_at_checked(end)?;
    let number: f32 = figures.parse().ok()?;
    // A number without a unit is a font weight.
    (number == 0.0 || !matches!(unit, "" | "em" | "%" | "ex" | "ch")).then_some(number == 0.0)
}

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out
}

/// The text after a block whose `{` has been read.
fn after_block(css: &str) -> &str {
    let mut depth = 1_usize;
    for (at, c) in css.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return css.get(at + 1..).unwrap_or_default();
        }
    }
    ""
}
