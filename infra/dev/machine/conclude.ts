/** What a command that proves something found. */
export interface Conclusion {
  /** Whether what it proves holds. */
  holds: boolean;
  /** What was found, with its figures, in one line. */
  result: string;
  /** All that was measured, for programs. */
  report?: object;
  /** All that was measured, for people. */
  text?: string | undefined;
}

/**
 * Prints what a command found, and sets its exit code: 0 or 1. Its last line is the result, or with --json one object,
 * and the result on standard error, where progress is.
 */
export function conclude(asJson: boolean, { holds, result, report = {}, text }: Conclusion): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ ...report, holds, result })}\n`);
    process.stderr.write(`${result}\n`);
  } else process.stdout.write(`${text === undefined ? '' : `${text}\n\n`}${result}\n`);
  process.exitCode = holds ? 0 : 1;
}

/** Says why a command cannot run on this machine, and sets its exit code to 2. */
export function cannotRun(asJson: boolean, reason: string): void {
  if (asJson) process.stdout.write(`${JSON.stringify({ notRun: reason })}\n`);
  process.stderr.write(`${reason}\n`);
  process.exitCode = 2;
}
