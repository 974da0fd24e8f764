//! Enums that are stored as words.

use rusqlite::types::FromSqlError;

/// Defines an enum that is stored as one word for each variant.
macro_rules! stored_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::store::UnknownWord;

            fn from_str(word: &str) -> std::result::Result<$name, $crate::store::UnknownWord> {
                match word {
                    $($word => Ok($name::$variant),)+
                    other => Err($crate::store::UnknownWord(other.to_owned(), stringify!($name))),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<$name> {
                value.as_str()?.parse().map_err($crate::store::words::unknown_word)
            }
        }

        $crate::store::columns::single_columns!($name);
    };
}
pub(super) use stored_enum;

pub(super) fn unknown_word(why: UnknownWord) -> FromSqlError {
    FromSqlError::Other(Box::new(why))
}

/// A word that no variant of a stored enum has.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} in place of a {1}")]
pub struct UnknownWord(pub(super) String, pub(super) &'static str);

#[cfg(test)]
mod tests {
    use crate::store::{AccountState, Store, StoreError};

    #[test]
    fn an_unknown_word_is_damage() {
        let store = Store::in_memory().unwrap();
        let read = store.one::<AccountState>("SELECT 'gone'", []);
        let why = read.unwrap_err();
        assert!(matches!(why, StoreError::Damaged(_)), "{why:?}");
        assert_eq!(
            why.to_string(),
            "the database holds something damaged: \"gone\" in place of a AccountState"
        );
    }
}
