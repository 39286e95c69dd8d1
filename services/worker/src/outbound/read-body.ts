import { type Readable, type Transform, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface ReadBody {
  bytes: Buffer;
  /** False if the body was longer than `bytesMax`. */
  isWhole: boolean;
}

/** The content encodings that a response may have, one at a time. */
const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const acceptedEncodings = 'gzip, br';

/**
 * Reads the first bytes of a body, decompressing it as it arrives. Never more than `bytesMax` and one chunk is held
 * in memory, however far the body would expand, and the rest is not waited for.
 */
export async function readBody(body: Readable, encoding: string, bytesMax: number): Promise<ReadBody> {
  // A body that is not read to its end emits an error, which is of no interest.
  body.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decompressed(body, encoding)) {
    // Safe: neither stream has an encoding set, so chunks are buffers.
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
  const createDecompressor = decompressors[name];
  if (!createDecompressor) {
    body.destroy();
    throw new Error(`A response has the content encoding ${JSON.stringify(name)}.`);
  }
  // Ending one of the two streams ends both. The reader gets their errors.
  return pipeline(body, createDecompressor(), () => undefined);
}
