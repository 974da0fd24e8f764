//! Draws a board as a PNG with a palette. The SVG is enlarged for high-density screens.
//!
//! Reading and drawing SVG takes most of the time. So empty boards, pieces on their spaces and whole pictures are
//! cached. A picture is always made from the same parts, so it has the same bytes with and without the cache.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use sha2::{Digest, Sha256};
use turnpost_games::scene::{Choice, Frame, Scene, Stamp, StampLook, Theme};

/// The size of the palette: enough for the colours of a board and the blends along edges.
const COLOURS: usize = 64;
/// Pixels per unit of the SVG. The first is for high-density screens. The second is used if the file would exceed
/// [`LONGEST`].
const SCALES: [f32; 2] = [1.5, 1.0];
const LONGEST: usize = 20 * 1024;
/// The most runs of one colour at the larger scale. The file grows with their number.
const MOST_RUNS: usize = 80_000;

/// Cache of whole pictures, some 20 KB each. Key: the hash of the SVG.
static PICTURES: Mutex<LatelyDrawn<[u8; 32], Vec<u8>>> = Mutex::new(LatelyDrawn::new(64));
/// Cache of empty boards, some 300 KB each. Key: the SVG and the scale.
static BOARDS: Mutex<LatelyDrawn<(String, u32), Empty>> = Mutex::new(LatelyDrawn::new(32));
/// Cache of pieces and marks on spaces, some 10 KB each. Key: look, scale, and the position within a pixel.
static STAMPS: Mutex<LatelyDrawn<StampKey, Vec<Dot>>> = Mutex::new(LatelyDrawn::new(512));

type StampKey = (StampLook, [u32; 3]);

/// A picture that could not be drawn. The SVG is the server's own, so this is an error of the server.
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
    let file = kept(&PICTURES, Sha256::digest(&svg).into(), |_| {
        let mut file = Vec::new();
        for scale in SCALES {
            let board = (scene.empty_svg(Theme::Light), scale.to_bits());
            let board = kept(&BOARDS, board, |(svg, _)| Empty::of(svg, scale))?;
            let runs = stamped(scene, &board, scale)?;
            if scale > 1.0 && runs.len() > MOST_RUNS {
                continue;
            }
            file = packed(&board, &runs)?;
            if file.len() <= LONGEST {
                break;
            }
        }
        Ok(file)
    })?;
    Ok(file.to_vec())
}

/// An opaque SVG of this server, as a PNG at a scale.
pub fn of_svg(svg: &str, scale: f32) -> Result<Vec<u8>, PictureError> {
    let picture = Empty::of(svg, scale)?;
    packed(&picture, &picture.runs)
}

/// A cache of recent drawings.
struct LatelyDrawn<K, V> {
    most: usize,
    all: BTreeMap<K, (u64, Arc<V>)>,
    uses: u64,
}

impl<K: Ord + Clone, V> LatelyDrawn<K, V> {
    const fn new(most: usize) -> LatelyDrawn<K, V> {
        LatelyDrawn { most, all: BTreeMap::new(), uses: 0 }
    }

    fn get(&mut self, key: &K) -> Option<Arc<V>> {
        self.uses += 1;
        let (used, value) = self.all.get_mut(key)?;
        *used = self.uses;
        Some(Arc::clone(value))
    }

    fn put(&mut self, key: K, value: &Arc<V>) {
        self.all.insert(key, (self.uses, Arc::clone(value)));
        if self.all.len() > self.most {
            let oldest = self.all.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| key.clone());
            oldest.map(|key| self.all.remove(&key));
        }
    }
}

/// The cached value of `key`, or the one that `make` makes. Holds no lock while it draws.
fn kept<K: Ord + Clone, V>(
    all: &Mutex<LatelyDrawn<K, V>>,
    key: K,
    make: impl FnOnce(&K) -> Result<V, PictureError>,
) -> Result<Arc<V>, PictureError> {
    let all = || all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(value) = all().get(&key) {
        return Ok(value);
    }
    let value = Arc::new(make(&key)?);
    all().put(key, &value);
    Ok(value)
}

/// The pixels of an empty board.
struct Empty {
    width: u32,
    height: u32,
    runs: Vec<Run>,
}

impl Empty {
    fn of(svg: &str, scale: f32) -> Result<Empty, PictureError> {
        let pixels = drawn(svg, scale, (0.0, 0.0))?;
        let (colours, _) = pixels.data().as_chunks();
        Ok(Empty { width: pixels.width(), height: pixels.height(), runs: Run::all(colours) })
    }
}

fn drawn(svg: &str, scale: f32, (right, down): (f32, f32)) -> Result<Pixmap, PictureError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let size = tree.size().to_int_size().scale_by(scale).ok_or(PictureError::Size)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PictureError::Size)?;
    let moved = Transform::from_scale(scale, scale).post_translate(right, down);
    resvg::render(&tree, moved, &mut pixels.as_mut());
    Ok(pixels)
}

/// A pixel of a stamp, with premultiplied alpha.
struct Dot {
    x: u16,
    y: u16,
    colour: [u8; 4],
}

/// The board with everything on it.
fn stamped(scene: &Scene, board: &Empty, scale: f32) -> Result<Vec<Run>, PictureError> {
    let mut pixels = Vec::with_capacity(board.width as usize * board.height as usize);
    for Run { colour: [red, green, blue], length } in &board.runs {
        pixels.extend(std::iter::repeat_n([*red, *green, *blue, 255], *length as usize));
    }
    let Frame { left, top, .. } = scene.frame();
    for Stamp { middle: (x, y), look } in scene.stamps() {
        let (x, y) = (
            (x - left + StampLook::FRAME.left) as f32 * scale,
            (y - top + StampLook::FRAME.top) as f32 * scale,
        );
        let key = (look, [scale, x.fract(), y.fract()].map(f32::to_bits));
        let dots = kept(&STAMPS, key, |(look, _)| {
            let pixels = drawn(&look.svg(Theme::Light), scale, (x.fract(), y.fract()))?;
            let (colours, _) = pixels.data().as_chunks();
            let places =
                (0..pixels.height() as u16).flat_map(|y| (0..pixels.width() as u16).map(move |x| (x, y)));
            let dots = places.zip(colours).map(|((x, y), colour)| Dot { x, y, colour: *colour });
            Ok(dots.filter(|dot| dot.colour != [0; 4]).collect())
        })?;
        // A stamp can reach beyond the picture, but nothing is drawn there.
        let first = y as i32 * board.width as i32 + x as i32;
        for dot in dots.iter() {
            let place = first + i32::from(dot.y) * board.width as i32 + i32::from(dot.x);
            if let Some(pixel) = usize::try_from(place).ok().and_then(|place| pixels.get_mut(place)) {
                let through = u16::from(255 - dot.colour[3]);
                let under = pixel.map(|channel| ((u16::from(channel) * through + 127) / 255) as u8);
                *pixel = std::array::from_fn(|channel| dot.colour[channel].saturating_add(under[channel]));
            }
        }
    }
    Ok(Run::all(&pixels))
}

fn packed(board: &Empty, runs: &[Run]) -> Result<Vec<u8>, PictureError> {
    let palette = Palette::of(runs);
    let width = board.width as usize;
    let mut indices = Vec::with_capacity(width * board.height as usize);
    for run in runs {
        indices.extend(std::iter::repeat_n(palette.index(run.colour), run.length as usize));
    }
    // Two pixels in a byte take half the time, and less room.
    let halves = palette.colours.len() <= 16;
    if halves {
        let byte =
            |pair: &[u8]| pair.iter().fold(0, |byte, index| byte << 4 | index) << (4 * (2 - pair.len()));
        indices = indices.chunks(width).flat_map(|row| row.chunks(2).map(byte)).collect();
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, board.width, board.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(if halves { png::BitDepth::Four } else { png::BitDepth::Eight });
    encoder.set_palette(palette.colours.concat());
    encoder.set_filter(png::Filter::NoFilter);
    // A higher level takes a third longer and saves two percent.
    encoder.set_deflate_compression(png::DeflateCompression::Level(6));
    encoder.write_header()?.write_image_data(&indices)?;
    Ok(file)
}

/// A run of pixels of one colour.
struct Run {
    colour: [u8; 3],
    length: u32,
}

impl Run {
    fn all(pixels: &[[u8; 4]]) -> Vec<Run> {
        let runs = pixels.chunk_by(|one, next| one == next);
        let run = |run: &[[u8; 4]]| {
            let [red, green, blue, _] = *run.first()?;
            Some(Run { colour: [red, green, blue], length: run.len() as u32 })
        };
        runs.filter_map(run).collect()
    }
}

/// The colours of areas, then those colours of edges that are far from all colours before them. `nearest` maps each
/// cell of a coarse colour cube to its nearest colour. Fewer edge colours make a smaller file, with no visible loss.
struct Palette {
    colours: Vec<[u8; 3]>,
    nearest: Vec<u8>,
}

/// Bits of each channel in the cube.
const BITS: u32 = 5;

/// The shortest run that counts as an area.
const AREA: u32 = 6;
/// The least distance between an edge colour and all colours before it.
const APART: u32 = 40;

/// A cell of the cube: whether its colour fills an area, its number of pixels, and the colour.
type Cell = (bool, u32, [u8; 3]);

impl Palette {
    fn of(runs: &[Run]) -> Palette {
        let mut cells: Vec<Cell> = vec![(false, 0, [0; 3]); 1 << (3 * BITS)];
        for run in runs {
            if let Some((area, count, seen)) = cells.get_mut(cell(run.colour)) {
                // Prefers the colour of an area to that of an edge in the same cell.
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

#[cfg(test)]
mod tests {
    use super::*;
    use turnpost_games::{Setup, registry};

    #[test]
    fn a_picture_of_parts_is_the_picture() {
        for game in registry::games() {
            let mut table = (game.start)(&Setup { options: &[], seed: 7 }).unwrap();
            for ply in 0..40 {
                let choices = table.choices();
                let Some((text, _)) = choices.get(ply * 7 % choices.len().max(1)) else { break };
                table.play_text(text).unwrap();
            }
            let scene = table.look();
            for scale in SCALES {
                let whole = scene.svg(Theme::Light, "", |_| Choice::default());
                let whole = drawn(&whole, scale, (0.0, 0.0)).unwrap();
                let board = Empty::of(&scene.empty_svg(Theme::Light), scale).unwrap();
                let parts = stamped(&scene, &board, scale).unwrap();
                let parts = parts.iter().flat_map(|run| std::iter::repeat_n(run.colour, run.length as usize));
                let most = parts.zip(whole.data().as_chunks::<4>().0).map(|(part, whole)| {
                    part.iter().zip(whole).map(|(one, other)| one.abs_diff(*other)).max().unwrap()
                });
                let most = most.max().unwrap();
                assert!(most <= 16, "{} at {scale} differs by {most}", game.key);
            }
        }
    }

    #[test]
    fn what_was_not_wanted_for_longest_goes() {
        let all = Mutex::new(LatelyDrawn::new(2));
        let get = |key: u8| {
            let mut is_new = false;
            let value = kept(&all, key, |key| {
                is_new = true;
                Ok(*key)
            });
            assert_eq!(*value.unwrap(), key);
            is_new
        };
        assert_eq!([1, 2, 1, 3, 1, 2].map(get), [true, true, false, true, false, true]);
    }
}
