// What the playground shows to who comes the first time.

import type { File } from './share';

export const FIRST: File[] = [
  {
    name: 'program.fk',
    text: `-- Commands of an effect, and a handler that says what they mean.

include prelude

-- A bag of sweets: a command takes one out, if there is one.
interface Bag = sweet : Maybe Int

-- Answers \`sweet\` from a list.
bag : List Int -> <Bag> X -> X
bag _ x = x
bag [] <sweet -> k> = bag [] (k nothing)
bag (x :: xs) <sweet -> k> = bag xs (k (just x))

-- Eats all there is.
eat : [Bag] Int
eat! = case sweet! { nothing -> 0 | (just n) -> n + eat! }

main : [Console] Int
main! = printLine "Hello, effects!"; bag [1, 2, 3] eat!
`,
  },
];
