//! The picture of a board as PNG: its SVG drawn larger, for fine screens, in a palette.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use turnpost_games::scene::{Choice, Scene, Theme};

/// The palette's size: enough for the colours of a board and the blends along their edges.
const COLOURS: usize = 64;
/// Pixels of the picture for each of the SVG: more for screens of fine resolution, fewer where the file would be longer
/// than [`LONGEST`].
const SCALES: [f32; 2] = [1.5, 1.0];
const LONGEST: usize = 20 * 1024;

/// A picture that could not be drawn. It is made from our own SVG, so this is our fault.
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
    let mut file = Vec::new();
    for scale in SCALES {
        file = drawn(&tree, scale)?;
        if file.len() <= LONGEST {
            break;
        }
    }
    Ok(file)
}

fn drawn(tree: &Tree, scale: f32) -> Result<Vec<u8>, PictureError> {
    let size = tree.size().to_int_size().scale_by(scale).ok_or(PictureError::Size)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PictureError::Size)?;
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
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
    encoder.set_filter(png::Filter::NoFilter);
    // A higher level takes a third longer for a fiftieth less.
    encoder.set_deflate_compression(png::DeflateCompression::Level(6));
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

/// The colours of areas, then those of edges that are far from all before them; and for each cell of a coarse cube of all
/// colours the nearest of them. Edges of few colours take few bytes, and nobody sees the others.
struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

/// Bits of each channel in the cube.
const BITS: u32 = 5;

/// How many pixels of one colour beside each other are an area.
const AREA: usize = 6;
/// How far the colour of an edge is from all others.
const APART: u32 = 40;

/// A cell of the cube: whether an area has its colour, on how many pixels it is, and the colour.
type Cell = (bool, usize, [u8; 3]);

impl Palette {
    fn of(runs: &[Run]) -> Palette {
        let mut cells: Vec<Cell> = vec![(false, 0, [0; 3]); 1 << (3 * BITS)];
        for run in runs {
            if let Some((area, count, seen)) = cells.get_mut(cell(run.colour)) {
                // The colour of an area, and not of an edge that shares its cell.
                let is_area = run.length >= AREA;
                if *count == 0 || (is_area && !*area) {
                    *seen = run.colour;
                }
                *area |= is_area;
                *count += run.length;
            }
        }
        let mut found: Vec<Cell> = cells.iter().copied().filter(|(_, count, _)| *count > 0).collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        let mut colours: Vec<[u8; 3]> = Vec::new();
        for (area, _, colour) in found {
            let is_far = || colours.iter().all(|other| distance(*other, colour) >= APART.pow(2));
            if colours.len() < COLOURS && (area || is_far()) {
                colours.push(colour);
            }
        }
        let nearest = cells
            .iter()
            .map(|(_, count, colour)| if *count > 0 { closest(&colours, *colour) } else { 0 })
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
    (0..).zip(colours).min_by_key(|(_, colour)| distance(**colour, wanted)).map_or(0, |(index, _)| index)
}

/// The square of the distance of two colours.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    one.into_iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}
