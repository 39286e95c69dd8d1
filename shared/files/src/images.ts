import { createRequire } from 'node:module';

import { WorkStarved, FairQueue, runBounded } from '@parley/kit';
import { fileTypeFromFile } from 'file-type';
import sharp, { type Metadata } from 'sharp';
import { Tinypool } from 'tinypool';

import type { DecoderResult, DecoderTask, Decodings } from './decoder.ts';
import {
  type EmojiPictures,
  type ImageFacts,
  ImageRefused,
  type ThumbnailFormat,
  pixelsMax,
  sharpOptions,
} from './image.ts';
import { readProcessorMs } from './processor-time.ts';

/** Larger pictures are stored and shown as they are, but not decoded. */
export const imageBytesMax = 32 * 1024 * 1024;
/** The most memory that the pixels of a picture take where all of it has to be in memory at once. */
const decodedBytesMax = 64 * 1024 * 1024;
/** The processor time that a picture may take. Then it counts as broken, and the process is ended. */
const deadlineMs = 10_000;
/** The time after which the process is ended that had no processor: the sender may try again. */
const waitMsMax = 90_000;

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

/** Decoding takes memory, so pictures are decoded one after the other. The callers are the accounts that sent them. */
const oneAtATime = new FairQueue({
  atOnce: { all: 1, ofCaller: 1 },
  waitingMax: { all: 200, ofCaller: 100 },
});
/** Everybody is told of pictures that stand for somebody or something: beside others, they have a tenth of the time. */
const pictureFactor = 9;
let decoder: Tinypool | undefined;

/**
 * A process of low priority that decodes pictures. It knows no secret and takes no time from requests, and after some
 * seconds without a picture it ends, so that its memory is given back.
 */
function getDecoder(): Tinypool {
  if (decoder) return decoder;
  const pool = new Tinypool({
    runtime: 'child_process',
    // The built file, also where the sources run: a process cannot load those.
    filename: createRequire(import.meta.url).resolve('@parley/files/decoder'),
    name: 'run',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 5000,
    serialization: 'advanced',
    execArgv: [],
    // What the decoders free goes back to the system only if few arenas hold it.
    env: { MALLOC_ARENA_MAX: '1' },
  });
  // The process was killed before it had a task. One that waited for it to start would wait forever.
  pool.on('error', () => {
    if (decoder === pool) decoder = undefined;
    void pool.destroy();
  });
  decoder = pool;
  return pool;
}

/** Decodes a picture that an account has sent when its turn has come. Then `args` is called. */
async function decode<Name extends keyof Decodings>(
  accountId: number,
  name: Name,
  args: () => Promise<Parameters<Decodings[Name]>>,
): Promise<Awaited<ReturnType<Decodings[Name]>>> {
  const sender = { key: accountId };
  if (oneAtATime.isFull(sender)) throw new ImageRefused('not-now');
  const work = async () => {
    const task: DecoderTask = { name, args: await args() };
    const pool = getDecoder();
    const processorMs = () => {
      const [decoding] = pool.threads;
      return decoding && readProcessorMs(decoding.threadId);
    };
    const bounds = { processorMs, processorMsMax: deadlineMs, waitMsMax };
    const result: DecoderResult = await runBounded(bounds, (signal) =>
      pool.run(task, { signal }).catch(() => {
        // A process that ended before the deadline was ended by something else than the picture.
        throw new ImageRefused(signal.aborted ? 'broken' : 'not-now');
      }),
    ).catch((error: unknown) => {
      throw error instanceof WorkStarved ? new ImageRefused('not-now') : error;
    });
    if (!result) throw new ImageRefused('broken');
    // Safe: the process answers with what the function of this name returns.
    return result.value as Awaited<ReturnType<Decodings[Name]>>;
  };
  return await oneAtATime.run(sender, work, name === 'renderThumbnail' ? {} : { factor: pictureFactor });
}

/**
 * Returns the properties of the picture in a file, read without decoding it. Throws ImageRefused if the picture cannot
 * be decoded or has too many pixels.
 */
export async function readImage(file: string): Promise<ImageFacts> {
  const type = await fileTypeFromFile(file).catch(() => undefined);
  if (!type || !decodable.has(type.mime)) throw new ImageRefused('not-an-image');
  // This reads no pixels, so that a picture with too many of them can be distinguished from a broken one.
  const metadata = await sharp(file, { ...sharpOptions, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new ImageRefused('broken');
    });
  const { autoOrient, pages: frames = 1, pageHeight } = metadata;
  const [width, height] = [autoOrient.width, pageHeight ?? autoOrient.height];
  const contentType = type.mime === 'image/apng' ? 'image/png' : type.mime;
  const facts = { contentType, width, height, frames };
  if (isTooLarge(metadata, facts)) throw new ImageRefused('too-many-pixels');
  return facts;
}

const bytesPerSample: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

/** Whether decoding would take too much time or memory. The memory of a picture can be 600 times that of its file. */
function isTooLarge(
  { channels, depth, isProgressive, orientation = 1 }: Metadata,
  { contentType, width, height, frames }: ImageFacts,
): boolean {
  const pixels = width * height * frames;
  const isJpeg = contentType === 'image/jpeg';
  if (pixels > (isJpeg ? pixelsMax['image/jpeg'] : pixelsMax.other)) return true;
  // These are decoded line by line, a JPEG to an eighth of its size; PNGs that lie on their side are turned as a whole.
  const isStreamed = !isProgressive && (isJpeg || (contentType === 'image/png' && orientation < 5));
  return !isStreamed && pixels * channels * (bytesPerSample[depth] ?? 4) > decodedBytesMax;
}

/**
 * Returns the picture that an account has sent, scaled down to the format's limits, as WebP. `read` is called when its
 * turn has come. Throws ImageRefused.
 */
export const renderThumbnail = async (
  accountId: number,
  read: () => Promise<Buffer>,
  format: ThumbnailFormat,
): Promise<Uint8Array> => await decode(accountId, 'renderThumbnail', async () => [await read(), format]);

/** Returns the middle of the picture in an account's file as a square PNG, once for each size. Throws ImageRefused. */
export const renderAvatar = async (
  accountId: number,
  file: string,
  sizes: readonly number[],
): Promise<Uint8Array[]> => await decode(accountId, 'renderAvatar', async () => [file, sizes]);

/** Returns the picture in an account's file as a PNG that fits into a box. Throws ImageRefused. */
export const renderLogo = async (
  accountId: number,
  file: string,
  box: { width: number; height: number },
): Promise<Uint8Array> => await decode(accountId, 'renderLogo', async () => [file, box]);

/**
 * Returns the middle of the picture in an account's file as a square of `size` pixels: a PNG, or an animated GIF or
 * WebP. Throws ImageRefused.
 */
export const renderEmoji = async (
  accountId: number,
  file: string,
  facts: Pick<ImageFacts, 'contentType' | 'frames'>,
  size: number,
): Promise<EmojiPictures> => await decode(accountId, 'renderEmoji', async () => [file, facts, size]);
