//! Pictures that programs ask for, as they are drawn.

use frank_ide::plot::{Drawn, Picture, Series};

use crate::{Size, Theme, svg, text};

const NAN: f64 = f64::NAN;

fn picture(drawn: Drawn) -> Picture {
    Picture {
        title: "A title".to_owned(),
        right: "to the right".to_owned(),
        up: String::new(),
        drawn,
        left_out: 0,
    }
}

fn series(points: &[(f64, f64)]) -> Vec<Series> {
    vec![Series {
        name: "one".to_owned(),
        points: points.to_vec(),
    }]
}

/// Numbers of all sizes have places that are numbers.
#[test]
fn every_number_has_a_place() {
    let all = [
        Drawn::Lines(series(&[(0.0, 1.0), (1.0, NAN), (2.0, 3.0), (3.0, 4.0)])),
        Drawn::Lines(series(&[(5.0, 5.0)])),
        Drawn::Points(series(&[(1e300, -1e-300), (1e300, 1e-300)])),
        Drawn::Lines(series(&[(0.0, 8e307), (1.0, -8e307)])),
        Drawn::Histogram {
            edges: vec![0.5, 1.5, 2.5],
            counts: vec![0, 12],
        },
        Drawn::Image(vec![vec![1e-20, 2e-20, NAN], vec![3e-20, 4e-20, 5e-20]]),
        Drawn::Image(vec![vec![7.0]]),
    ];
    for drawn in all {
        let picture = picture(drawn);
        for theme in [Theme::Light, Theme::Dark, Theme::Neutral] {
            let svg = svg(&picture, theme, Size::default());
            assert!(svg.contains("A title") && svg.contains("to the right"));
            let wrong = ["NaN", "inf\"", "\"-inf"];
            assert!(!wrong.iter().any(|word| svg.contains(word)), "{picture:?}");
        }
        assert!(text(&picture, true, 60, 20).contains("A title"));
    }
}

#[test]
fn what_is_left_out_is_said() {
    let mut picture = picture(Drawn::Points(series(&[(1.0, 2.0), (NAN, 0.0)])));
    picture.left_out = 1;
    let svg = svg(&picture, Theme::Light, Size::default());
    assert!(svg.contains("1 point is not finite and left out"), "{svg}");
}

#[test]
fn an_image_without_colours_has_shades() {
    let image = picture(Drawn::Image(vec![vec![0.0, 1.0], vec![NAN, 4.0]]));
    let expected = "A title\n  ░░\n??██\nblank 0, █ 4\n";
    assert_eq!(text(&image, false, 60, 20), expected);
}

/// A name that is wider than the picture is whole where the pointer rests.
#[test]
fn long_names_are_shortened() {
    let name = format!("a'{}z", "b".repeat(190));
    let mut picture = picture(Drawn::Points(series(&[(1.0, 2.0)])));
    picture.right = name.clone();
    let drawn = svg(&picture, Theme::Light, Size::default());
    let whole = format!("<title>{}</title>", name.replace('\'', "&apos;"));
    assert!(drawn.contains(&whole), "{drawn}");
    assert!(
        !drawn.replace(&whole, "").contains(&"b".repeat(80)),
        "{drawn}"
    );
    assert!(
        drawn.contains('…') && drawn.contains("bz</text>"),
        "{drawn}"
    );
    // One that fits stays as it is.
    let drawn = svg(&self::picture(picture.drawn), Theme::Light, Size::default());
    assert!(
        !drawn.contains('…') && !drawn.contains("<title>"),
        "{drawn}"
    );
}
