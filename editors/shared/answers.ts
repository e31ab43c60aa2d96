// What is asked by requests and commands of the server's own, and what it answers, as far as our editors show it:
// `docs/editors/writing.md` and `server/lsp/src/commands.rs` say it all.

/** The answer to `frank.run`, with a value or as what belongs to a failure. */
export interface RunAnswer {
  value?: string;
  output?: string;
  steps?: number;
  millis?: number;
}

/** What is asked of `frank.derivative` beside the file and the operator; without a point the server chooses. */
export interface Question {
  at?: string[];
  order?: 2;
  check?: true;
}

/** What one derivative operator gives. */
export interface Derivative {
  by: string;
  values: string[];
  error?: string;
}

/** The answer to `frank.derivative`. */
export interface DerivativeAnswer {
  derivatives?: Derivative[];
  second?: Derivative[];
  /** Whether all agree but for rounding. */
  agree?: boolean | null;
  /** Whether none of them is something else than finite differences give. */
  checked?: boolean | null;
  /** What was evaluated, and what it gave. */
  text: string;
}
