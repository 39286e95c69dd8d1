import { ExitCode } from '@stricli/core';

/** Exit codes of `parley`: 0 when it is done, 1 when it was refused or failed, 2 when the command line is wrong. */
const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** Returns our exit code for one of the library's. */
export function exitCodeOf(code: number): number {
  if (code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument) return exitCodes.usage;
  return code === ExitCode.Success ? exitCodes.done : exitCodes.failed;
}
