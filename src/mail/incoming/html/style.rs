//! Which elements a mail program would not show: the part of CSS that hides text.
//!
//! Inline declarations and the rules of `<style>` are read: compound selectors (`p.x#y`) and descendants. What a
//! child can show again (`visibility`, `font-size`, `color`) is inherited; the rest hides all that is inside.

use std::cell::Cell;
use std::collections::HashMap;

use super::super::message::TooMuch;
use super::css::{Declaration, PROPERTIES, Property, declarations, without_comments};

/// How often elements of a page are compared with selectors of several parts. Without a limit, a page of many rules
/// and many elements would cost their product.
const COMPARISONS: usize = 1_000_000;
/// More selectors than this, of rules that may hide text, are no letter.
const MAX_RULES: usize = 5_000;
/// Why the text of an element is not shown, as its children inherit it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Hidden {
    /// Nothing inside is shown, whatever it says.
    pub gone: bool,
    pub invisible: bool,
    pub tiny: bool,
    pub clear: bool,
}

impl Hidden {
    pub fn any(self) -> bool {
        self.gone || self.invisible || self.tiny || self.clear
    }
}

/// What a selector asks of an element.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub name: String,
    pub id: String,
    pub classes: Vec<String>,
}

/// What decides between declarations of one property: the greatest wins. `!important`, then how specific the selector
/// is (ids, classes, names), then where it stands.
type Rank = (bool, usize, usize, usize, usize);

/// The declarations that win so far.
#[derive(Debug, Clone, Copy, Default)]
struct Values([Option<(Rank, bool)>; PROPERTIES]);

impl Values {
    fn set(&mut self, property: Property, on: bool, rank: Rank) {
        if let Some(value) = self.0.get_mut(property as usize)
            && value.is_none_or(|(older, _)| older <= rank)
        {
            *value = Some((rank, on));
        }
    }

    fn add(
        &mut self,
        declarations: &[Declaration],
        (ids, classes, names, place): (usize, usize, usize, usize),
    ) {
        for declaration in declarations {
            let rank = (declaration.important, ids, classes, names, place);
            self.set(declaration.property, declaration.on, rank);
        }
    }

    fn merge(&mut self, other: &Values) {
        for (value, other) in self.0.iter_mut().zip(other.0) {
            *value = (*value).max(other);
        }
    }

    fn get(&self, property: Property) -> Option<bool> {
        self.0.get(property as usize).copied().flatten().map(|(_, on)| on)
    }
}

/// A rule whose selector has several parts.
#[derive(Debug)]
struct Rule {
    element: Element,
    /// Ancestors, the nearest first.
    above: Vec<Element>,
    values: Values,
}

/// The rules of a page's `<style>` elements that can hide text, by `#id`, `.class` or name.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    simple: HashMap<String, Values>,
    compound: HashMap<String, Vec<Rule>>,
    read: usize,
    compared: Cell<usize>,
}

impl Sheet {
    /// Adds the text of a `<style>` element.
    pub fn add(&mut self, css: &str) -> Result<(), TooMuch> {
        let css = without_comments(css);
        let mut rest = css.as_str();
        while let Some((head, after)) = rest.split_once('{') {
            let head = head.rsplit([';', '}']).next().unwrap_or(head).trim();
            if let Some(query) = head.strip_prefix('@') {
                // The rules of `@media screen` are read as if they stood alone; those for phones and paper are not.
                let query = query.trim().to_ascii_lowercase();
                let applies = matches!(query.as_str(), "media screen" | "media all" | "media only screen");
                rest = if applies { after } else { behind_block(after) };
                continue;
            }
            let (body, after) = after.split_once('}').unwrap_or((after, ""));
            self.rule(head, body)?;
            rest = after;
        }
        Ok(())
    }

    fn rule(&mut self, selectors: &str, body: &str) -> Result<(), TooMuch> {
        let declarations = declarations(body);
        if declarations.is_empty() {
            return Ok(());
        }
        let selectors = selectors.trim_start_matches(|c: char| "<!-}".contains(c) || c.is_ascii_whitespace());
        for selector in selectors.split(',') {
            self.read += 1;
            if self.read > MAX_RULES {
                return Err(TooMuch::Parts);
            }
            let parts = selector.split(|c: char| c.is_ascii_whitespace() || c == '>');
            let parts = parts.filter(|part| !part.is_empty()).map(compound).collect::<Option<Vec<Element>>>();
            let Some((element, above)) = parts.as_deref().and_then(<[Element]>::split_last) else { continue };
            let all = || above.iter().chain([element]);
            let ids = all().filter(|part| !part.id.is_empty()).count();
            let classes = all().map(|part| part.classes.len()).sum();
            let names = all().filter(|part| !part.name.is_empty()).count();
            let mut values = Values::default();
            values.add(&declarations, (ids, classes, names, self.read));
            if above.is_empty() && ids + classes + names <= 1 {
                self.simple.entry(key(element)).or_default().merge(&values);
            } else {
                let above = above.iter().rev().cloned().collect();
                let rule = Rule { element: element.clone(), above, values };
                self.compound.entry(key(element)).or_default().push(rule);
            }
        }
        Ok(())
    }

    /// The declarations for an element. `above` are the open elements around it, the nearest first.
    fn values<'e>(&self, element: &Element, above: impl Iterator<Item = &'e Element> + Clone) -> Values {
        let mut values = Values::default();
        if self.read == 0 {
            return values;
        }
        let mut keys = vec![String::from("*"), element.name.clone(), format!("#{}", element.id)];
        keys.extend(element.classes.iter().map(|class| format!(".{class}")));
        for key in keys {
            if let Some(found) = self.simple.get(&key) {
                values.merge(found);
            }
            for rule in self.compound.get(&key).into_iter().flatten() {
                if rule.fits(element, above.clone(), &self.compared) {
                    values.merge(&rule.values);
                }
            }
        }
        values
    }

    /// What of an element is hidden.
    pub fn hides<'e>(
        &self,
        element: &Element,
        above: impl Iterator<Item = &'e Element> + Clone,
        parent: Hidden,
        inline: &str,
        hidden_attribute: bool,
    ) -> Hidden {
        if parent.gone {
            return parent;
        }
        let mut values = self.values(element, above);
        if hidden_attribute {
            values.merge(&hidden_by_attribute());
        }
        values.add(&declarations(inline), (usize::MAX, 0, 0, 0));
        let is = |property: Property| values.get(property);
        let on = |property: Property| is(property) == Some(true);
        let flat = on(Property::Height) || on(Property::MaxHeight);
        let narrow = on(Property::Width) || on(Property::MaxWidth);
        Hidden {
            gone: on(Property::Display)
                || on(Property::Opacity)
                || on(Property::MaxHeight)
                || on(Property::Overflow) && (flat || narrow)
                || flat && narrow
                || on(Property::Position) && on(Property::Offset)
                || on(Property::Outside),
            invisible: is(Property::Visibility).unwrap_or(parent.invisible),
            tiny: is(Property::FontSize).unwrap_or(parent.tiny),
            clear: is(Property::Color).unwrap_or(parent.clear),
        }
    }
}

/// The attribute `hidden` is the weakest way to say `display: none`.
fn hidden_by_attribute() -> Values {
    let mut values = Values::default();
    values.set(Property::Display, true, Rank::default());
    values
}

impl Rule {
    fn fits<'e>(
        &self,
        element: &Element,
        mut above: impl Iterator<Item = &'e Element>,
        compared: &Cell<usize>,
    ) -> bool {
        let fits = |wanted: &Element, element: &Element| {
            compared.set(compared.get() + 1 + wanted.classes.len() * element.classes.len());
            compared.get() <= COMPARISONS && wanted.fits(element)
        };
        fits(&self.element, element)
            && self.above.iter().all(|wanted| above.any(|ancestor| fits(wanted, ancestor)))
    }
}

impl Element {
    /// True when this, as a selector, selects the element.
    fn fits(&self, element: &Element) -> bool {
        (self.name.is_empty() || self.name == element.name)
            && (self.id.is_empty() || self.id == element.id)
            && self.classes.iter().all(|class| element.classes.contains(class))
    }
}

fn key(element: &Element) -> String {
    if !element.id.is_empty() {
        return format!("#{}", element.id);
    }
    match element.classes.first() {
        Some(class) => format!(".{class}"),
        None if element.name.is_empty() => String::from("*"),
        None => element.name.clone(),
    }
}

/// Reads `p.x#y`; `None` for what else CSS can ask, such as `:hover` and `[href]`.
fn compound(text: &str) -> Option<Element> {
    let mut element = Element::default();
    let mut rest = text;
    let name = rest.find(['.', '#']).unwrap_or(rest.len());
    let (head, tail) = rest.split_at_checked(name)?;
    if head != "*" {
        element.name = head.to_ascii_lowercase();
    }
    rest = tail;
    while let Some(mark) = rest.chars().next() {
        let inner = rest.get(1..)?;
        let end = inner.find(['.', '#']).unwrap_or(inner.len());
        let (word, tail) = inner.split_at_checked(end)?;
        match mark {
            '.' => element.classes.push(word.to_lowercase()),
            _ => element.id = word.to_lowercase(),
        }
        rest = tail;
    }
    let plain = |word: &str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let whole =
        plain(&element.name) && plain(&element.id) && element.classes.iter().all(|class| plain(class));
    whole.then_some(element)
}

/// The rest behind a block whose `{` has been read.
fn behind_block(css: &str) -> &str {
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
