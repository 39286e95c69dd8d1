/** Prints a line for the person at the terminal. */
export type Say = (line: string) => void;

export const sayOnStdout: Say = (line) => void process.stdout.write(`${line}\n`);
