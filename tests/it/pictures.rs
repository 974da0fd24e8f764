//! Pictures of boards: read back from their pixels they are the boards, and they stay small.

use std::collections::BTreeMap;

use crate::support::host::Host;
use crate::support::rounds;
use crate::zz::games_to_try;
use turnpost::picture;
use turnpost_games::scene::{Choice, Scene, Shape, Theme, Thing};
use turnpost_games::{GameKind, Seat, Setup, registry};

/// Scenes of a random game, each with the move that led to it.
fn scenes(game: &GameKind, options: &[(String, Option<String>)], seed: u64) -> Vec<Scene> {
    let mut table = (game.start)(&Setup { options, seed }).unwrap();
    let mut state = seed | 1;
    let mut scenes = vec![table.look()];
    while table.ended().is_none() && scenes.len() < 90 {
        let plies = table.legal_plies();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let text = plies[(state >> 33) as usize % plies.len()].clone();
        let before = table.look();
        let played = table.play_text(&text).unwrap();
        scenes.push(table.look().after(&before, played.ends));
        let mut fallen = scenes.len();
        table.play_until_choice(&mut |dice| {
            fallen += 5;
            dice.casts().nth(fallen % dice.casts().count())
        });
    }
    scenes
}

struct Pixels {
    width: usize,
    colours: Vec<[u8; 3]>,
}

impl Pixels {
    fn of(scene: &Scene) -> Pixels {
        let file = picture::png(scene).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let colours = bytes.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect();
        Pixels { width: info.width as usize, colours }
    }

    /// The colour at a point of the SVG.
    fn at(&self, scene: &Scene, x: f32, y: f32) -> [u8; 3] {
        let frame = scene.frame();
        let scale = self.width as f32 / frame.width as f32;
        let (x, y) = ((x - frame.left as f32) * scale, (y - frame.top as f32) * scale);
        self.colours[y as usize * self.width + x as usize]
    }

    /// The face of the top of a stack with its number: its colours, dark or bright.
    fn face(&self, scene: &Scene, x: f32, y: f32) -> Vec<bool> {
        let offsets = (-6..=6).flat_map(|dy| (-9..=9).map(move |dx| (dx, dy)));
        offsets.map(|(dx, dy)| bright(self.at(scene, x + dx as f32, y + dy as f32))).collect()
    }
}

fn bright([red, green, blue]: [u8; 3]) -> bool {
    u16::from(red) + u16::from(green) + u16::from(blue) > 384
}

/// The nearest of some colours.
fn nearest<T: Copy>(colour: [u8; 3], names: &[([u8; 3], T)]) -> T {
    let distance = |other: &[u8; 3]| -> u32 {
        colour.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2)).sum()
    };
    names.iter().min_by_key(|(other, _)| distance(other)).unwrap().1
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Ground,
    Of(Option<Seat>),
}

const TOPS: &[([u8; 3], Seen)] = &[
    ([0xff, 0xfd, 0xf7], Seen::Of(Some(Seat::First))),
    ([0x33, 0x36, 0x3d], Seen::Of(Some(Seat::Second))),
    ([0xd6, 0x40, 0x2b], Seen::Of(None)),
    ([0xf3, 0xed, 0xe0], Seen::Ground),
    ([0xdd, 0xd3, 0xbf], Seen::Ground),
    ([0xec, 0xe0, 0xbd], Seen::Ground),
    ([0xdc, 0xc9, 0xa0], Seen::Ground),
    ([0xe9, 0xe1, 0xd0], Seen::Ground),
    ([0xc9, 0x92, 0x2e], Seen::Ground),
];

fn centre(q: i32, r: i32) -> (f32, f32) {
    ((q * 52 + r * 26) as f32, (r * 45) as f32)
}

fn rise(height: u8) -> f32 {
    4.67 * f32::from(height.clamp(1, 5) - 1)
}

/// How the number of each height looks on each side's stacks. A board of all heights at once would be drawn smaller than
/// those of games.
fn faces(empty: &Scene) -> BTreeMap<(bool, u8), Vec<bool>> {
    let mut faces = BTreeMap::new();
    for (side, heights) in Seat::BOTH.into_iter().flat_map(|side| [(side, 2..=25), (side, 26..=49)]) {
        let mut scene = empty.clone();
        for (height, space) in heights.clone().zip(&mut scene.spaces) {
            space.thing =
                Some(Thing { side: Some(side), height, marked: false, shape: Shape::Ring, name: "" });
        }
        let pixels = Pixels::of(&scene);
        for (height, space) in heights.zip(&scene.spaces) {
            let (x, y) = centre(space.q, space.r);
            let face = pixels.face(&scene, x, y - rise(height));
            assert!(!faces.values().any(|other| *other == face), "{side:?} {height} looks like another");
            faces.insert((side == Seat::First, height), face);
        }
    }
    faces
}

/// The numbers in the picture, from the rear to the front.
fn numbers(scene: &Scene) -> Vec<String> {
    let svg = scene.svg(Theme::Light, "", |_| Choice::default());
    let groups = svg.split("n\">").skip(1).filter_map(|rest| rest.split_once("</g>"));
    let digits = |group: &str| group.split("\"#_").skip(1).filter_map(|rest| rest.chars().next()).collect();
    groups.map(|(group, _)| digits(group)).collect()
}

/// The heights that a picture must show.
fn heights(scene: &Scene) -> Vec<String> {
    let things = scene.rows().into_iter().flatten().filter_map(|space| space.thing);
    things.filter(|thing| thing.height > 1).map(|thing| thing.height.to_string()).collect()
}

#[test]
fn a_picture_read_back_is_the_board() {
    let dvonn = registry::find("dvonn").unwrap();
    let random = [("random".to_owned(), None)];
    let empty = scenes(dvonn, &[], 1).remove(0);
    let faces = faces(&empty);
    let (seeds, step, mut boards) = (rounds(2, 4), rounds(12, 4) as usize, 0);
    for (game, options) in [(dvonn, &random[..]), (dvonn, &[]), (registry::find("hexmeister").unwrap(), &[])]
    {
        for seed in 1..=seeds {
            for scene in scenes(game, options, seed).iter().step_by(step) {
                boards += 1;
                assert_eq!(numbers(scene), heights(scene), "{}", scene.drawing().board);
                let pixels = Pixels::of(scene);
                for space in &scene.spaces {
                    let (x, y) = centre(space.q, space.r);
                    let height = space.thing.map_or(1, |thing| thing.height);
                    // To the left of the number or the hole, on the top of whatever stands there.
                    let seen = nearest(pixels.at(scene, x - 14.0, y - rise(height)), TOPS);
                    let wanted = space.thing.map_or(Seen::Ground, |thing| Seen::Of(thing.side));
                    assert_eq!(seen, wanted, "{} on {}", space.name, scene.drawing().board);
                    let Some(thing) = space.thing.filter(|thing| thing.height > 1) else { continue };
                    let face = pixels.face(scene, x, y - rise(thing.height));
                    let differing =
                        |other: &Vec<bool>| face.iter().zip(other).filter(|(a, b)| a != b).count();
                    let read = faces.iter().min_by_key(|(_, other)| differing(other)).unwrap().0;
                    assert_eq!(*read, (thing.side == Some(Seat::First), thing.height), "{}", space.name);
                    // The red dot has a bright rim; a red piece behind the tower has none.
                    let (x, y) = (x + 15.5, y - rise(thing.height) - 11.0);
                    let red = nearest(pixels.at(scene, x, y), TOPS) == Seen::Of(None);
                    let rim = [(5.0, 0.0), (0.0, -5.0)].map(|(dx, dy)| pixels.at(scene, x + dx, y + dy));
                    let marked = red && rim.into_iter().all(bright);
                    assert_eq!(marked, thing.marked, "{} on {}", space.name, scene.drawing().board);
                }
            }
        }
    }
    assert!(boards >= 200 * seeds as usize / step, "{boards}");
}

#[test]
fn pictures_are_small_and_say_what_they_show() {
    for game in games_to_try() {
        for seed in 1..=rounds(2, 5) {
            for scene in scenes(game, &[], seed).into_iter().step_by(3) {
                let sentence = scene.sentence(game.seats);
                for theme in [Theme::Light, Theme::Dark, Theme::Page] {
                    let svg = scene.svg(theme, &sentence, |_| Choice::default());
                    assert!(svg.len() <= 20 * 1024, "{} bytes", svg.len());
                }
                for space in scene.spaces.iter().filter(|space| space.thing.is_some()) {
                    assert!(sentence.contains(&space.name), "{}: {sentence}", space.name);
                }
            }
        }
    }
}

#[test]
fn a_file_of_pixels_is_never_longer_than_its_bound() {
    let step = rounds(27, 9) as usize;
    for game in games_to_try() {
        for scene in (1..=rounds(1, 3)).flat_map(|seed| scenes(game, &[], seed).into_iter().step_by(step)) {
            let bytes = picture::png(&scene).unwrap().len();
            assert!(bytes <= 28 * 1024, "{bytes} bytes of {game:?}");
        }
    }
    // All stones, as far from each other as they can be: each row of pixels is unlike the one before.
    let mut crowded = scenes(registry::find("hexmeister").unwrap(), &[], 1).remove(0);
    for (place, space) in
        crowded.spaces.iter_mut().enumerate().filter(|(place, _)| [0, 2].contains(&(place % 5)))
    {
        let side = Some(Seat::BOTH[place % 2]);
        space.thing = Some(Thing { side, height: 1, marked: false, shape: Shape::Disc, name: "" });
    }
    let bytes = picture::png(&crowded).unwrap().len();
    assert!((1..=20 * 1024).contains(&bytes), "{bytes} bytes");
}

#[test]
fn a_fallen_stack_is_a_cross_where_it_stood() {
    let dvonn = registry::find("dvonn").unwrap();
    let random = [("random".to_owned(), None)];
    let fallen = (1..40)
        .flat_map(|seed| scenes(dvonn, &random, seed))
        .find(|scene| scene.spaces.iter().any(|space| space.fell));
    let scene = fallen.unwrap();
    let svg = scene.svg(Theme::Light, "", |_| Choice::default());
    let crosses = scene.spaces.iter().filter(|space| space.fell).count();
    assert_eq!(svg.matches("<path class=\"x\"").count(), crosses);
    assert!(scene.sentence(dvonn.seats).contains("Off the board: "));
}

/// The picture at the head of the README; `TURNPOST_BLESS=1` draws it anew.
#[test]
fn the_picture_of_the_readme_is_drawn_by_this_version() {
    let dvonn = registry::find("dvonn").unwrap();
    let random = [("random".to_owned(), None)];
    let scene = &scenes(dvonn, &random, 3)[12];
    let drawn = scene.svg(Theme::Light, &scene.sentence(dvonn.seats), |_| Choice::default());
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures/dvonn.svg");
    if std::env::var_os("TURNPOST_BLESS").is_some() {
        std::fs::write(&file, &drawn).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap() == drawn, "TURNPOST_BLESS=1 draws it anew");
}

#[test]
fn the_host_draws_a_position() {
    let host = Host::new();
    let position = "D,w2,.,.,.,.,.,.,D/.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./D,w,b,b,.,.,.,.,. w";
    let draw = |more: &[&str]| host.run(&[&["draw", "dvonn", position], more].concat(), b"");
    assert!(
        draw(&[]).ok().contains("/w2\\__") && draw(&[]).ok().contains("White controls 3 pieces, black 2.")
    );
    assert!(draw(&["--svg"]).ok().starts_with("<svg"));
    let file = host.data().join("board.png");
    assert_eq!(draw(&["--png", &file.display().to_string()]).ok(), "");
    assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    assert!(host.run(&["draw", "dvonn", "w w"], b"").err.contains("row"));
}

#[test]
fn the_host_draws_a_board_as_it_stood() {
    let host = Host::after("dvonn challenge -symmetry -seed=7 ann bob\ndvonn move 1 ann plover-42 D1-E1\n");
    let svg =
        |more: &[&str]| host.run(&[&["admin", "board", "1", "--svg"], more].concat(), b"").ok().to_owned();
    let now = svg(&[]);
    assert!(now.starts_with("<svg") && now.contains("The last move was D1 to E1."), "{now}");
    assert_eq!(svg(&["--ply", "1"]), now);
    assert!(!svg(&["--ply", "0"]).contains("The last move"));
    let file = host.data().join("board.png");
    let name = file.display().to_string();
    assert_eq!(host.run(&["admin", "board", "1", "--png", &name], b"").ok(), "");
    assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG"));
}
