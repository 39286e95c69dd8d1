import { type Readable, type Transform, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface ReadBody {
  bytes: Buffer;
  /** False where there was more of it than was wanted. */
  isWhole: boolean;
}

/** How a stranger may pack what it answers, once. */
const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const acceptedEncodings = 'gzip, br';

/**
 * The first bytes of an answer, unpacked as it comes in: whatever it would swell to, no more than these are ever held. The
 * rest is not waited for.
 */
export async function readBody(body: Readable, encoding: string, bytesMax: number): Promise<ReadBody> {
  // What is dropped half-way says so, and nobody is to hear of it.
  body.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decompressed(body, encoding)) {
    // Safe: neither stream has an encoding set.
    const bytes = chunk as Buffer;
    chunks.push(bytes);
    length += bytes.length;
    if (length > bytesMax) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), isWhole: length <= bytesMax };
}

function decompressed(body: Readable, encoding: string): Readable {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const open = decompressors[name];
  if (!open) {
    body.destroy();
    throw new Error(`An answer is packed as ${JSON.stringify(name)}.`);
  }
  // The end of either is the end of both; whoever reads hears of it.
  return pipeline(body, open(), () => undefined);
}
