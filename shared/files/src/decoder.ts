import { lowerProcessPriority } from '@parley/kit';
import sharp, { type Metadata } from 'sharp';

import { type EmojiPictures, type ImageFacts, ImageRefused, type ThumbnailFormat } from './image.ts';

/** Larger pictures take too long, even those that are decoded line by line. */
const pixelsMax = { 'image/jpeg': 120_000_000, other: 40_000_000 };
/** The most memory that the pixels of a picture take where all of it has to be in memory at once. */
const decodedBytesMax = 64 * 1024 * 1024;
const deadlineSeconds = 10;

lowerProcessPriority();
sharp.concurrency(1);
sharp.cache(false);

const options = {
  limitInputPixels: pixelsMax['image/jpeg'],
  failOn: 'truncated' as const,
  sequentialRead: true,
};

/** The properties of the picture in a file, read without decoding it. */
async function readFacts(file: string, mime: string): Promise<ImageFacts> {
  // This reads no pixels, so that a picture with too many of them can be distinguished from a broken one.
  const metadata = await sharp(file, { ...options, limitInputPixels: false }).metadata();
  const { autoOrient, pages: frames = 1, pageHeight } = metadata;
  const [width, height] = [autoOrient.width, pageHeight ?? autoOrient.height];
  const contentType = mime === 'image/apng' ? 'image/png' : mime;
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

/** The picture scaled down to the format's limits, as WebP. */
async function renderThumbnail(
  content: Buffer,
  { maxWidth: width, maxHeight: height, isAnimated }: ThumbnailFormat,
): Promise<Uint8Array> {
  // Only still pictures can be turned upright.
  const picture = isAnimated
    ? sharp(content, { ...options, animated: true })
    : sharp(content, options).autoOrient();
  return await picture
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .webp()
    .timeout({ seconds: deadlineSeconds })
    .toBuffer();
}

/** The middle of the picture in a file as a square PNG, once for each size. */
async function renderAvatar(file: string, sizes: readonly number[]): Promise<Uint8Array[]> {
  const pictures: Buffer[] = [];
  for (const size of sizes) {
    const square = sharp(file, options).autoOrient().resize(size, size, { fit: 'cover' });
    pictures.push(await square.png().timeout({ seconds: deadlineSeconds }).toBuffer());
  }
  return pictures;
}

/** The picture in a file as a PNG that fits into a box. */
async function renderLogo(
  file: string,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array> {
  return await sharp(file, options)
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .png()
    .timeout({ seconds: deadlineSeconds })
    .toBuffer();
}

/** Types of pictures that stay animated when they are scaled. */
const animatedTypes = { 'image/gif': 'gif', 'image/webp': 'webp' } as const;

/** The middle of the picture in a file as a square of `size` pixels: a PNG, or an animated GIF or WebP. */
async function renderEmoji(
  file: string,
  { contentType, frames }: Pick<ImageFacts, 'contentType' | 'frames'>,
  size: number,
): Promise<EmojiPictures> {
  const [still] = await renderAvatar(file, [size]);
  if (!still) throw new Error('No picture came back.');
  const format = frames > 1 ? animatedTypes[contentType as keyof typeof animatedTypes] : undefined;
  if (!format) return { content: still, contentType: 'image/png', still: null };
  const content = await sharp(file, { ...options, animated: true })
    .resize(size, size, { fit: 'cover' })
    .toFormat(format)
    .timeout({ seconds: deadlineSeconds })
    .toBuffer();
  return { content, contentType, still };
}

const decodings = { readFacts, renderThumbnail, renderAvatar, renderLogo, renderEmoji };

/** What the process does, by name. */
export type Decodings = typeof decodings;

/** One thing for the process to do: which, and with what. */
export interface DecoderTask {
  name: keyof Decodings;
  args: unknown[];
}

/** What became of a task. Errors do not survive the way between processes. */
export type DecoderResult = { value: unknown } | { refusal: ImageRefused['reason'] };

/** What the process does with a task. */
export async function run({ name, args }: DecoderTask): Promise<DecoderResult> {
  // Safe: who makes a task gives a function its own arguments.
  const decode = decodings[name] as (...of: unknown[]) => Promise<unknown>;
  try {
    return { value: await decode(...args) };
  } catch (error) {
    return { refusal: error instanceof ImageRefused ? error.reason : 'broken' };
  }
}
