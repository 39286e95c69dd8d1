import type { Writable } from 'node:stream';

import { progress } from '@clack/prompts';

/** How far a long command is. */
export interface Progress extends Disposable {
  advance(by: number): void;
}

/** Creates a bar on a terminal; nothing elsewhere. It ends when it is disposed of. */
export function createProgress(
  output: Writable & { isTTY?: boolean },
  what: string,
  total: number,
): Progress {
  if (!output.isTTY) return { advance: () => undefined, [Symbol.dispose]: () => undefined };
  const bar = progress({ output, max: total });
  bar.start(what);
  return { advance: (by) => bar.advance(by), [Symbol.dispose]: () => bar.stop(what) };
}
