import { createRequire } from 'node:module';

import { fileTypeFromFile } from 'file-type';
import pLimit from 'p-limit';
import { Tinypool } from 'tinypool';

import type { DecoderResult, DecoderTask, Decodings } from './decoder.ts';
import { type EmojiPictures, type ImageFacts, ImageRefused, type ThumbnailFormat } from './image.ts';

/** Larger pictures are stored and shown as they are, but not decoded. */
export const imageBytesMax = 32 * 1024 * 1024;
/** Pictures that may wait to be decoded. */
const waitingMax = 200;
/** The time after which the process is ended, should a decoder not keep its own deadline. */
const deadlineMs = 30_000;

/**
 * Types of files that libvips may decode. The type is found by the file's first bytes, so that a document cannot pass
 * as a picture by its name.
 */
const decodable: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
]);

/** Decoding takes memory, so pictures are decoded one after the other. */
const oneAtATime = pLimit(1);
let decoder: Tinypool | undefined;

/**
 * A process of low priority that decodes pictures. It knows no secret and takes no time from requests, and after some
 * seconds without a picture it ends, so that its memory is given back.
 */
const getDecoder = () =>
  (decoder ??= new Tinypool({
    runtime: 'child_process',
    // The built file, also where the sources run: a process cannot load those.
    filename: createRequire(import.meta.url).resolve('@parley/files/decoder'),
    name: 'run',
    minThreads: 0,
    maxThreads: 1,
    // The properties of one picture can be read while another is decoded.
    concurrentTasksPerWorker: 8,
    idleTimeout: 5000,
    serialization: 'advanced',
    execArgv: [],
    // What the decoders free goes back to the system only if few arenas hold it.
    env: { MALLOC_ARENA_MAX: '1' },
  }));

async function run<Name extends keyof Decodings>(
  name: Name,
  ...args: Parameters<Decodings[Name]>
): Promise<Awaited<ReturnType<Decodings[Name]>>> {
  const task: DecoderTask = { name, args };
  const result: DecoderResult = await getDecoder()
    .run(task, { signal: AbortSignal.timeout(deadlineMs) })
    .catch(() => ({ refusal: 'broken' }));
  if ('refusal' in result) throw new ImageRefused(result.refusal);
  // Safe: the process answers with what the function of this name returns, bytes as plain arrays.
  return result.value as Awaited<ReturnType<Decodings[Name]>>;
}

/** Waits until no other picture is decoded. */
async function decode<Result>(work: () => Promise<Result>): Promise<Result> {
  if (oneAtATime.pendingCount >= waitingMax) throw new ImageRefused('too-many-waiting');
  return await oneAtATime(work);
}

/**
 * The properties of the picture in a file, read without decoding it. Throws ImageRefused if the picture cannot be decoded
 * or has too many pixels.
 */
export async function readImage(file: string): Promise<ImageFacts> {
  const type = await fileTypeFromFile(file).catch(() => undefined);
  if (!type || !decodable.has(type.mime)) throw new ImageRefused('not-an-image');
  return await run('readFacts', file, type.mime);
}

/**
 * The picture scaled down to the format's limits, as WebP. `read` is called when its turn has come. Throws ImageRefused.
 */
export const renderThumbnail = async (
  read: () => Promise<Buffer>,
  format: ThumbnailFormat,
): Promise<Uint8Array> => await decode(async () => await run('renderThumbnail', await read(), format));

/** The middle of the picture in a file as a square PNG, once for each size. Throws ImageRefused. */
export const renderAvatar = async (file: string, sizes: readonly number[]): Promise<Uint8Array[]> =>
  await decode(() => run('renderAvatar', file, sizes));

/** The picture in a file as a PNG that fits into a box. Throws ImageRefused. */
export const renderLogo = async (file: string, box: { width: number; height: number }): Promise<Uint8Array> =>
  await decode(() => run('renderLogo', file, box));

/**
 * The middle of the picture in a file as a square of `size` pixels: a PNG, or an animated GIF or WebP. Throws
 * ImageRefused.
 */
export const renderEmoji = async (
  file: string,
  facts: Pick<ImageFacts, 'contentType' | 'frames'>,
  size: number,
): Promise<EmojiPictures> => await decode(() => run('renderEmoji', file, facts, size));
