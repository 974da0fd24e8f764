//! The picture of a board as PNG: its SVG drawn larger, for fine screens, in a palette.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use turnpost_games::scene::{Choice, Scene, Theme};

/// The palette's size: enough for the colours of a board and the blends along their edges.
const COLOURS: usize = 64;
/// Pixels of the picture for each of the SVG, for screens of fine resolution.
const SCALE: f32 = 1.5;

/// A picture that could not be drawn. It is made from our own SVG, so this is a fault of ours.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    #[error("the picture cannot be read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    #[error("the picture is of no size")]
    Size,
    #[error("the picture cannot be written: {0}")]
    Png(#[from] png::EncodingError),
}

/// The board of `scene` on a bright, opaque ground, as mail programs show it.
pub fn png(scene: &Scene) -> Result<Vec<u8>, PictureError> {
    let svg = scene.svg(Theme::Light, "", |_| Choice::default());
    let tree = Tree::from_str(&svg, &Options::default())?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or(PictureError::Size)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PictureError::Size)?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    packed(&pixels)
}

fn packed(pixels: &Pixmap) -> Result<Vec<u8>, PictureError> {
    let (colours, _) = pixels.data().as_chunks();
    let runs: Vec<Run> = colours.chunk_by(|one, next| one == next).filter_map(Run::of).collect();
    let palette = Palette::of(&runs);
    let mut indices = Vec::with_capacity(colours.len());
    for run in &runs {
        indices.extend(std::iter::repeat_n(palette.index(run.colour), run.length));
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.colours.concat());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header()?.write_image_data(&indices)?;
    Ok(file)
}

/// Pixels of one colour that follow each other, as most of a board's do.
struct Run {
    colour: [u8; 3],
    length: usize,
}

impl Run {
    fn of(pixels: &[[u8; 4]]) -> Option<Run> {
        let [red, green, blue, _] = *pixels.first()?;
        Some(Run { colour: [red, green, blue], length: pixels.len() })
    }
}

/// The most frequent colours, and for each cell of a coarse cube of all colours the nearest of them.
struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

/// Bits of each channel in the cube.
const BITS: u32 = 5;

impl Palette {
    fn of(runs: &[Run]) -> Palette {
        let mut cells = vec![(0, [0; 3]); 1 << (3 * BITS)];
        for run in runs {
            if let Some((count, seen)) = cells.get_mut(cell(run.colour)) {
                if *count == 0 {
                    *seen = run.colour;
                }
                *count += run.length;
            }
        }
        let mut frequent: Vec<(usize, [u8; 3])> =
            cells.iter().copied().filter(|(count, _)| *count > 0).collect();
        frequent.sort_unstable_by(|one, other| other.cmp(one));
        let colours: Vec<[u8; 3]> = frequent.into_iter().take(COLOURS).map(|(_, colour)| colour).collect();
        let nearest = cells
            .iter()
            .map(|(count, colour)| if *count > 0 { closest(&colours, *colour) } else { 0 })
            .collect();
        Palette { colours, nearest }
    }

    fn index(&self, colour: [u8; 3]) -> u8 {
        self.nearest.get(cell(colour)).copied().unwrap_or_default()
    }
}

fn cell(colour: [u8; 3]) -> usize {
    let [red, green, blue] = colour;
    let cell = usize::from(red >> (8 - BITS)) << BITS | usize::from(green >> (8 - BITS));
    cell << BITS | usize::from(blue >> (8 - BITS))
}

fn closest(colours: &[[u8; 3]], wanted: [u8; 3]) -> u8 {
    let distance = |colour: &[u8; 3]| -> u32 {
        colour.iter().zip(wanted).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
    };
    (0..).zip(colours).min_by_key(|(_, colour)| distance(colour)).map_or(0, |(index, _)| index)
}
