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

/// The points of the first line of an SVG.
fn first_line(svg: &str) -> Vec<(f64, f64)> {
    let (_, path) = svg.split_once("d=\"M ").expect("a line");
    let (path, _) = path.split_once('"').expect("its end");
    let points = path.split(" L ").map(|point| {
        let (x, y) = point.trim().split_once(' ').expect("two numbers");
        (x.parse().expect("a number"), y.parse().expect("a number"))
    });
    points.collect()
}

#[test]
fn spans_of_all_sizes_are_drawn_alike() {
    let drawn = |factor: f64| {
        let points = [(0.0, 0.0), (1.0, 3.0), (2.0, 1.0), (3.0, 2.0)];
        let points = points.map(|(x, y)| (x * factor, y * factor));
        let picture = picture(Drawn::Lines(series(&points)));
        first_line(&svg(&picture, Theme::Light, Size::default()))
    };
    // Numbers beside the axis take more room, so it is the shape that is the same.
    let shape = |factor: f64| {
        let points = drawn(factor);
        let [first, .., last] = &points[..] else {
            panic!("{points:?}");
        };
        let wide = last.0 - first.0;
        let high = points.iter().map(|point| first.1 - point.1);
        let high = high.fold(0.0, f64::max);
        let shape = points
            .iter()
            .map(|(x, y)| ((x - first.0) / wide, (first.1 - y) / high));
        shape
            .map(|(x, y)| format!("{x:.2} {y:.2}"))
            .collect::<Vec<_>>()
    };
    let usual = shape(1.0);
    assert_eq!(usual.len(), 4);
    for factor in [1e-20, 1e-300, 1e-5, 1e20, 5e307] {
        assert_eq!(shape(factor), usual, "{factor:e}");
    }
}

/// The numbers at the axes of an SVG, and at its bar of colours.
fn numbers(svg: &str) -> Vec<String> {
    let texts = svg
        .split("</text>")
        .filter_map(|text| text.rsplit('>').next());
    let numbers = texts.filter(|text| text.parse::<f64>().is_ok());
    numbers.map(str::to_owned).collect()
}

/// No tick has the number of another one, also where there are fewer numbers than ticks.
#[test]
fn numbers_stand_where_they_belong() {
    let tiny = 5e-324;
    for (low, high) in [
        (0.0, tiny),
        (0.0, 3.0 * tiny),
        (-2.0 * tiny, 5.0 * tiny),
        (1.0, 1.0 + 2.0 * f64::EPSILON),
        (0.0, 1.0),
        (-1.7e308, 1.7e308),
    ] {
        // The rows and the column have numbers of their own.
        let drawn = picture(Drawn::Image(vec![vec![low, high]]));
        let mut all = numbers(&svg(&drawn, Theme::Light, Size::default()));
        let bar = all.split_off(3);
        assert!(bar.len() >= 2, "{low:e} to {high:e}: {all:?} {bar:?}");
        let mut once = bar.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), bar.len(), "{low:e} to {high:e}: {bar:?}");
        let within = |text: &String| (low..=high).contains(&text.parse().expect("a number"));
        assert!(bar.iter().all(within), "{bar:?}");
    }
    for points in [
        [(0.0, 0.0), (tiny, 2.0 * tiny)],
        [(1.0, -tiny), (2.0, tiny)],
    ] {
        let drawn = picture(Drawn::Lines(series(&points)));
        let all = numbers(&svg(&drawn, Theme::Light, Size::default()));
        let small = all.iter().filter(|text| text.contains("e-3"));
        let mut small: Vec<&String> = small.collect();
        let many = small.len();
        small.sort();
        small.dedup();
        // A number may stand at both axes.
        assert!(many >= 1 && many <= 2 * small.len(), "{all:?}");
    }
}

/// The widest image has its colours, too.
#[test]
fn the_widest_differences_have_colours() {
    let drawn = |most: f64| {
        let drawn = picture(Drawn::Image(vec![vec![-most, 0.0, most]]));
        let svg = svg(&drawn, Theme::Light, Size::default());
        let fills = svg
            .split("fill=\"")
            .filter_map(|part| part.split('"').next());
        fills.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(drawn(1.7e308), drawn(1.0));
}
