/** Prints a line for the person at the terminal. */
export type Say = (line: string) => void;

export const sayOnStdout: Say = (line) => void process.stdout.write(`${line}\n`);

/** Progress goes to standard error, so that standard output has what was found and nothing else. */
export const sayProgress: Say = (line) => void process.stderr.write(`${line}\n`);
