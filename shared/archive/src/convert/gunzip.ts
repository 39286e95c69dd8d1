import { type Readable, Transform, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { refused } from '../read/refused.ts';

/** How much smaller a file may have become by compression, if it is not small. */
export const compression = { ratioMax: 300, smallBytes: 1024 * 1024 } as const;

/** Unpacks what gzip packed, and ends with ArchiveRefused at what was packed more than any export is. */
export function gunzip(path: string | undefined, packed: Readable): Readable {
  const unpacking = createGunzip();
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      const isBomb = bytes > compression.smallBytes && bytes > unpacking.bytesWritten * compression.ratioMax;
      done(isBomb ? refused('compressed', { path }) : null, chunk);
    },
  });
  // Whoever reads the last stream hears of the failure of any of them.
  pipeline(packed, unpacking, limit, () => undefined);
  return limit;
}
