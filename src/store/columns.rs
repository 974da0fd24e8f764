//! Values of columns: ids, times, words and whole rows.
//!
//! [`stored_row`] defines a row type and names each column once, next to its field. SELECT, INSERT and UPDATE are made
//! from that.

use std::error::Error;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::types::{Null, Type, ValueRef};
use rusqlite::{Row, ToSql};

use crate::ids::{BoardId, Identity, Ply, Seat, Userid};

/// The values of a statement.
pub(super) type Values<'a> = Vec<Box<dyn ToSql + 'a>>;

/// A value of one or more columns.
pub(crate) trait Columns: Sized {
    const COUNT: usize = 1;

    /// Reads the columns from number `first` on.
    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Self>;

    fn write<'a>(&'a self, to: &mut Values<'a>);
}

/// A row type with its columns, and the table or the join that they come from.
pub(crate) trait StoredRow: Columns {
    const COLUMNS: &'static str;
    const FROM: &'static str;
}

/// `None` if the first column is NULL.
impl<T: Columns> Columns for Option<T> {
    const COUNT: usize = T::COUNT;

    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<T>> {
        match row.get_ref(first)? {
            ValueRef::Null => Ok(None),
            _ => T::read(row, first).map(Some),
        }
    }

    fn write<'a>(&'a self, to: &mut Values<'a>) {
        match self {
            Some(value) => value.write(to),
            None => to.extend((0..T::COUNT).map(|_| Box::new(Null) as Box<dyn ToSql>)),
        }
    }
}

impl<T: Columns> Columns for [T; 2] {
    const COUNT: usize = 2 * T::COUNT;

    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<[T; 2]> {
        Ok([T::read(row, first)?, T::read(row, first + T::COUNT)?])
    }

    fn write<'a>(&'a self, to: &mut Values<'a>) {
        self.iter().for_each(|value| value.write(to));
    }
}

macro_rules! tuples_of_columns {
    ($(($($part:ident $number:tt),+))+) => { $(
        impl<$($part: Columns),+> Columns for ($($part,)+) {
            const COUNT: usize = 0 $(+ $part::COUNT)+;

            fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<($($part,)+)> {
                let mut next = first;
                Ok(($(read_next::<$part>(row, &mut next)?,)+))
            }

            fn write<'a>(&'a self, to: &mut Values<'a>) {
                $(self.$number.write(to);)+
            }
        }
    )+ };
}

tuples_of_columns!((A 0, B 1)(A 0, B 1, C 2));

/// Reads a value and skips its columns.
pub(super) fn read_next<T: Columns>(row: &Row<'_>, next: &mut usize) -> rusqlite::Result<T> {
    let first = *next;
    *next += T::COUNT;
    T::read(row, first)
}

/// Types that rusqlite reads and writes.
macro_rules! single_columns {
    ($($name:ty),+ $(,)?) => { $(
        impl $crate::store::columns::Columns for $name {
            fn read(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<$name> {
                row.get(first)
            }

            fn write<'a>(&'a self, to: &mut $crate::store::columns::Values<'a>) {
                to.push(Box::new(self));
            }
        }
    )+ };
}
pub(super) use single_columns;

single_columns!(bool, u16, u32, i64, String, Vec<u8>, [u8; 32]);

impl Columns for Timestamp {
    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Timestamp> {
        let read = Timestamp::from_second(row.get(first)?);
        read.map_err(|_| damaged(first, Type::Integer, "an instant out of range"))
    }

    fn write<'a>(&'a self, to: &mut Values<'a>) {
        to.push(Box::new(self.as_second()));
    }
}

impl Columns for Seat {
    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Seat> {
        match row.get(first)? {
            0_i64 => Ok(Seat::First),
            1 => Ok(Seat::Second),
            other => Err(damaged(first, Type::Integer, &format!("{other} in place of a seat"))),
        }
    }

    fn write<'a>(&'a self, to: &mut Values<'a>) {
        to.push(Box::new(seat_number(*self)));
    }
}

impl Columns for Userid {
    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Userid> {
        parsed(row, first, "Userid")
    }

    fn write<'a>(&'a self, to: &mut Values<'a>) {
        to.push(Box::new(self.as_str()));
    }
}

impl Columns for Date {
    fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Date> {
        parsed(row, first, "Date")
    }

    fn write<'a>(&'a self, to: &mut Values<'a>) {
        to.push(Box::new(self.to_string()));
    }
}

fn parsed<T: FromStr>(row: &Row<'_>, column: usize, kind: &str) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    text.parse().map_err(|_| damaged(column, Type::Text, &format!("{text:?} in place of a {kind}")))
}

fn damaged(column: usize, kind: Type, why: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, Box::<dyn Error + Send + Sync>::from(why))
}

pub(super) fn seat_number(seat: Seat) -> i64 {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

/// Defines a struct whose fields are columns. A row is read `from` a table or a join, each field from the
/// columns next to it, and written to the first table there. A struct without `from` is part of a row; the
/// row that contains it names its columns.
macro_rules! stored_row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident from $from:literal {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty = $column:literal),+ $(,)?
    }) => {
        $crate::store::columns::stored_row! {
            $(#[$meta])* $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type),+ }
        }

        impl $crate::store::columns::StoredRow for $name {
            const COLUMNS: &'static str = concat!($(", ", $column),+).split_at(2).1;
            const FROM: &'static str = $from;
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),+ $(,)?
    }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type),+ }

        impl $crate::store::columns::Columns for $name {
            const COUNT: usize = 0 $(+ <$type as $crate::store::columns::Columns>::COUNT)+;

            fn read(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<$name> {
                let mut next = first;
                Ok($name { $($field: $crate::store::columns::read_next(row, &mut next)?),+ })
            }

            fn write<'a>(&'a self, to: &mut $crate::store::columns::Values<'a>) {
                $($crate::store::columns::Columns::write(&self.$field, to);)+
            }
        }
    };
}
pub(super) use stored_row;

/// Stores a newtype as its inner value.
macro_rules! stored_newtype {
    ($name:ident($inner:ty)) => {
        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<$name> {
                <$inner as rusqlite::types::FromSql>::column_result(value).map($name)
            }
        }

        $crate::store::columns::single_columns!($name);
    };
}
pub(super) use stored_newtype;

stored_newtype!(BoardId(u32));
stored_newtype!(Ply(u32));
stored_newtype!(Identity([u8; 32]));
