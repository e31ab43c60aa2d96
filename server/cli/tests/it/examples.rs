//! `frank test`.

use expect_test::expect;

use crate::support::Dir;

#[test]
fn examples_are_run() {
    let dir = Dir::new(&[(
        "a.fk",
        "-- Doubles.\n--\n-- > twice 2\n-- = 4\n-- > twice\n--     3\n-- = 6\n-- > twice 1\ntwice : Int -> Int\ntwice n = n + n\n",
    )]);
    assert_eq!(
        dir.run("test").whole(),
        "3 examples in 1 file: all right\nexit 0\n"
    );
}

#[test]
fn failures_are_shown() {
    let dir = Dir::new(&[(
        "sub/a.fk",
        "-- > half 2\n-- = 2\n--\n-- > half 'x'\n-- = 1\n--\n-- > half 1 / 0\n--\n-- > lopo!\nhalf : Int -> Int\nhalf n = n / 2\n\n\
         -- > loop!\nloop : {Int}\nloop! = loop!\n\n-- > bad!\nbad : {Int}\nbad! = 'x'\n",
    )]);
    dir.run("test --timeout 100ms").expect(expect![[r#"
        sub/a.fk:1:6: half 2
          should be 2
          but is    1

        sub/a.fk:4:6: half 'x'
        error[FK0201]: this has type `Char`, but `Int` is needed
          --> <term>:1:6
           |
         1 | half 'x'
           |      ^^^
           |
          ::: sub/a.fk:10:8
           |
        10 | half : Int -> Int
           |        --- `Int` is required here: the first port of `half`

        sub/a.fk:7:6: half 1 / 0
        error: division by zero in `0 / 0`
         --> <term>:1:1
          |
        1 | half 1 / 0
          | ^^^^^^^^^^
          |
          = note: with 0, 0
          = note: the stack, from the inside:
                  in the term

        sub/a.fk:9:6: lopo!
        error[FK0101]: there is no definition `lopo` in sight
         --> <term>:1:1
          |
        1 | lopo!
          | ^^^^
          |
          = help: did you mean `loop`?

        sub/a.fk:13:6: loop!
        error: the time limit is reached
          --> sub/a.fk:15:9
           |
        15 | loop! = loop!
           |         ^^^^^
           |
           = note: the stack, from the inside:
                   in `loop`, sub/a.fk:15:9

        sub/a.fk:17:6: bad!
          `bad` cannot run: it, or something that it uses, has errors

        6 examples in 1 file: 6 failed
        exit 1
    "#]]);
    assert_eq!(dir.run("test nothing.fk").code, 2);
}

#[test]
fn the_library_keeps_its_promises() {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/../library");
    let run = Dir::new(&[]).run_with(&["test", library]);
    assert_eq!(run.code, 0, "{}", run.stdout);
}

/// Values that would be compared with nothing are mistakes, and every line with `>` is an example.
#[test]
fn values_belong_to_examples() {
    let dir = Dir::new(&[
        (
            "a.fk",
            "-- > f 2\n--\n-- = 3\n\n-- > f 3\n-- > f 4\n-- = 4\nf : Int -> Int\nf x = x\n",
        ),
        (
            "b.fk",
            "-- = 3\n--   > f 2\n--   = 3\n-- ======\nf : Int -> Int\nf x = x\n",
        ),
    ]);
    dir.run("test").expect(expect![[r#"
        a.fk:3:6: = 3
          this value belongs to no example: `-- = …` stands directly below the term, `-- > …`

        b.fk:1:6: = 3
          this value belongs to no example: `-- = …` stands directly below the term, `-- > …`

        b.fk:2:8: f 2
          should be 3
          but is    2

        6 examples in 2 files: 3 failed
        exit 1
    "#]]);
}

/// An example is run below all items, too.
#[test]
fn examples_at_the_end() {
    let dir = Dir::new(&[("a.fk", "f : Int -> Int\nf x = x\n\n-- > f 2\n-- = 3")]);
    dir.run("test").expect(expect![[r#"
        a.fk:4:6: f 2
          should be 3
          but is    2

        1 example in 1 file: 1 failed
        exit 1
    "#]]);
}
