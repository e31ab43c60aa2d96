// Names of commands that several parts know.

/** The server's commands that evaluate operators; their arguments are a file's URI, an operator's name, and a point. */
export const RUN = 'frank.run';
export const DERIVATIVE = 'frank.derivative';

/** Those for examples; their arguments are a file's URI and a line. */
export const CHECK = 'frank.check';
export const WRITE_VALUE = 'frank.writeValue';

/** The command that debugs, also behind lenses. */
export const DEBUG = 'frank.debug';
