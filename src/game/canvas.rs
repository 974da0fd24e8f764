//! A sheet of characters to draw boards on.
