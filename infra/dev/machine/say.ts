/** Tells the person at the terminal, one line at a time. */
export type Say = (line: string) => void;

export const sayOnStdout: Say = (line) => void process.stdout.write(`${line}\n`);
