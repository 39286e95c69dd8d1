import type { Readable, Writable } from 'node:stream';

/** What a command needs of the process that runs it. */
export interface CommandProcess {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
  /** Its number; none where a command shares the process with others. */
  pid?: number;
  exitCode?: number | string | null | undefined;
}
