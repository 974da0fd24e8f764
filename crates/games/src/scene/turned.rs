//! The board from the other side of the table.

use std::collections::BTreeSet;

use super::{Label, Prop, Scene, Side, Space, Tiling};

impl Scene {
    /// The board as its far side sees it. Each space changes places with the space across the middle, and the names next
    /// to the board follow. Call it last: [`after`](Scene::after) compares spaces in their usual order.
    #[must_use]
    pub fn turned(mut self) -> Scene {
        let ends = |along: fn(&Space) -> i32| {
            let all = || self.spaces.iter().map(along);
            all().min().zip(all().max()).map_or(0, |(first, last)| first + last)
        };
        let [columns, rows] = [ends(|space| space.q), ends(|space| space.r)];
        // On triangles both sides have their trays at the right.
        let is_mirrored = self.tiling == Tiling::Triangles;
        let across = |[q, r]: [i32; 2]| [if is_mirrored { q } else { columns - q }, rows - r];
        let top =
            |scene: &Scene| scene.spaces.iter().map(|space| space.q + 2 * space.r).min().unwrap_or_default();
        let top_before = top(&self);
        let places: BTreeSet<[i32; 2]> = self.spaces.iter().map(|space| [space.q, space.r]).collect();
        let has_same_shape = places.iter().all(|place| places.contains(&across(*place)));
        let labels = self.labels.iter().map(|label| {
            let beside = across(label.beside);
            // A row keeps its number at the same end, and a column its letter.
            let is_twin = |other: &&Label| match other.side {
                side if side != label.side => false,
                Side::Above | Side::Below | Side::ColumnEnd => other.beside[0] == beside[0],
                _ => other.beside[1] == beside[1],
            };
            let is_of_line = has_same_shape && self.space(&label.text).is_none();
            match self.labels.iter().find(is_twin).filter(|_| is_of_line) {
                Some(twin) => Label { text: label.text.clone(), ..twin.clone() },
                None => Label { text: label.text.clone(), beside, side: label.side.opposite() },
            }
        });
        self.labels = labels.collect();
        for space in &mut self.spaces {
            [space.q, space.r] = across([space.q, space.r]);
        }
        if is_mirrored {
            self.spaces.sort_by_key(|space| (space.r, space.q));
        } else {
            self.spaces.reverse();
        }
        for prop in &mut self.props {
            if let Prop::Cube { row: Some(row), .. } = prop {
                *row = rows - *row;
            }
        }
        for edge in &mut self.edges {
            [edge.q, edge.r] = across([edge.q, edge.r]);
            edge.beyond = across(edge.beyond);
        }
        self.origin[0] += top_before - top(&self);
        self
    }
}

impl Side {
    fn opposite(self) -> Side {
        match self {
            Side::East => Side::West,
            Side::West => Side::East,
            Side::NorthEast => Side::SouthWest,
            Side::SouthWest => Side::NorthEast,
            Side::Above => Side::Below,
            Side::Below => Side::Above,
            Side::Left => Side::Right,
            Side::Right => Side::Left,
            Side::RowStart | Side::ColumnEnd => self,
        }
    }
}
