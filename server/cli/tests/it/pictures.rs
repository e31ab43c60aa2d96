//! Pictures that programs ask for: where they go, and what is said where there are none.

use crate::support::{Dir, Run};

const DRAWS: &str = "\
include picture

main : [Console, Picture]Int
main! =
  ouch 'a';
  plot (caption \"Up & down\" \"<x>\" \"\") [pair \"line\" (byPosition [1.0, 3.0, 2.0])];
  ouch 'b';
  histogram (titled \"Dice\") [1.0, 2.0, 2.0, 3.0];
  7
";

fn run(arguments: &str) -> (Dir, Run) {
    let dir = Dir::new(&[
        ("draws.fk", DRAWS),
        (
            "wrong.fk",
            "include picture\n\nmain : [Picture]Unit\nmain! = image (titled \"\") [[1.0], []]\n",
        ),
    ]);
    let run = dir.run(arguments);
    (dir, run)
}

#[test]
fn nobody_need_handle_pictures() {
    let (_, run) = run("check draws.fk");
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.whole());
}

#[test]
fn a_picture_that_cannot_be_drawn_ends_the_run_where_it_is_asked_for() {
    let (_, run) = run("run wrong.fk");
    assert_eq!(run.code, 3, "{}", run.whole());
    for part in [
        "`image` of rows of different lengths: the first has 1 number, and row 2 has 0",
        "wrong.fk:4:9",
    ] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
}

/// Who draws nothing says how many there are, and where they can be seen.
#[test]
fn what_is_not_shown_is_counted() {
    let (dir, run) = run("step draws.fk --format text");
    assert_eq!(run.code, 0, "{}", run.whole());
    let two = "frank: 2 pictures are not shown here: `frank run` shows them\n";
    assert_eq!(run.stderr, two);
    // None of the first states draws one.
    let run = dir.run("step draws.fk --format text --states 2");
    assert!(!run.stderr.contains("pictures"), "{}", run.stderr);

    let examples = "include picture\n\n\
                    -- > draw 3\n-- = 3\n-- > draw 4\n-- = 4\n-- > 1 + 1\n-- = 2\n\
                    draw : Int -> [Picture] Int\ndraw i = histogram (titled \"\") [1.0, 2.0]; i\n";
    dir.write("examples.fk", examples);
    let run = dir.run("test examples.fk");
    assert_eq!(
        (run.code, &*run.stdout, &*run.stderr),
        (0, "3 examples in 1 file: all right\n", two)
    );
    dir.write("one.fk", examples.replace("-- > draw 4\n-- = 4\n", ""));
    let run = dir.run("test one.fk");
    assert_eq!(
        run.stderr,
        "frank: 1 picture is not shown here: `frank run` shows it\n"
    );
}

#[cfg(feature = "plot")]
mod drawn {
    use super::run;

    #[test]
    fn files_have_numbers() {
        let (dir, run) = run("run --pictures out/of draws.fk");
        assert_eq!((run.code, &*run.stdout), (0, "ab\n7\n"), "{}", run.whole());
        assert!(
            run.stderr
                .contains("2 pictures in out/of: picture-0001.svg to picture-0002.svg"),
            "{}",
            run.stderr
        );
        let first = dir.read("out/of/picture-0001.svg");
        assert!(first.starts_with("<svg") && first.ends_with("</svg>\n"));
        for part in ["Up &amp; down", "&lt;x&gt;", ">line<"] {
            assert!(first.contains(part), "{part}: {first}");
        }
        assert!(dir.read("out/of/picture-0002.svg").contains("Dice"));
    }

    #[test]
    fn text_has_them_in_order() {
        let (_, run) = run("run draws.fk");
        assert_eq!(run.code, 0, "{}", run.whole());
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert_eq!((lines.first(), lines.last()), (Some(&"a"), Some(&"7")));
        let at = |wanted: &str| lines.iter().position(|line| line.contains(wanted));
        let between = lines.iter().position(|line| *line == "b");
        assert!(at("Up & down") > Some(0) && at("Up & down") < between);
        assert!(at("Dice") > between, "{}", run.stdout);
        let dots = |c: char| ('\u{2801}'..='\u{28ff}').contains(&c);
        assert!(run.stdout.contains(dots) && !run.stdout.contains('\u{1b}'));
    }

    #[test]
    fn the_loop_goes_on_counting() {
        let (dir, _) = run("check draws.fk");
        let run = dir.run_input("repl --pictures out draws.fk", "main!\nmain!\n");
        assert!(
            run.stderr.contains("picture-0003.svg to picture-0004.svg"),
            "{}",
            run.whole()
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_left_as_it_is() {
        let (dir, _) = run("check draws.fk");
        let before = dir.read("draws.fk");
        std::fs::create_dir(dir.path().join("out")).expect("a directory");
        let link = dir.path().join("out/picture-0001.svg");
        std::os::unix::fs::symlink("../draws.fk", link).expect("a link");
        let run = dir.run("run --pictures out draws.fk");
        assert_eq!((run.code, dir.read("draws.fk")), (3, before));
        assert!(run.stderr.contains("this is a link"), "{}", run.whole());
    }

    /// Nothing is run whose pictures could not be written.
    #[test]
    fn pictures_need_a_directory() {
        let (dir, _) = run("check draws.fk");
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere", dir.path().join("link")).expect("a link");
        for (name, what) in [
            ("draws.fk", "draws.fk: this is a file"),
            ("draws.fk/in", "draws.fk: this is a file"),
            #[cfg(unix)]
            ("link", "link: this is a link that leads nowhere"),
        ] {
            let run = dir.run(&format!("run --pictures {name} draws.fk"));
            let said = format!("frank: {what}, and `--pictures` takes a directory; name another\n");
            assert_eq!((run.code, run.stdout, run.stderr), (2, String::new(), said));
        }
    }

    /// A pipe in the place of a picture is not waited for.
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_picture() {
        let (dir, _) = run("check draws.fk");
        std::fs::create_dir(dir.path().join("out")).expect("a directory");
        let pipe = dir.path().join("out/picture-0001.svg");
        let made = std::process::Command::new("mkfifo").arg(pipe).status();
        assert!(made.expect("mkfifo").success());
        let run = dir.run("run --timeout 5s --pictures out draws.fk");
        assert_eq!(run.code, 3, "{}", run.whole());
        assert!(
            run.stderr.contains(
                "out/picture-0001.svg: not written: this is a pipe that nobody reads from"
            ),
            "{}",
            run.stderr
        );
    }
}

#[cfg(not(feature = "plot"))]
mod not_drawn {
    use super::run;

    #[test]
    fn a_run_says_that_pictures_are_missing() {
        let (_, run) = run("run draws.fk");
        assert_eq!((run.code, &*run.stdout), (0, "ab\n7\n"), "{}", run.whole());
        let expected = "2 pictures not shown: this `frank` was built without pictures: build it with `--features plot`";
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }

    #[test]
    fn files_are_refused_before_the_run() {
        let (_, run) = run("run --pictures out draws.fk");
        assert_eq!((run.code, &*run.stdout), (2, ""), "{}", run.whole());
        assert!(run.stderr.contains("--features plot"), "{}", run.stderr);
    }
}
