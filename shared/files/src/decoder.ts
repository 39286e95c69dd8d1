import type { EmojiPictures, ImageFacts, ThumbnailFormat } from './image.ts';
import { lowerProcessPriority } from './process-priority.ts';

lowerProcessPriority();

// To load these takes 60 to 90 ms of a processor, so that it has to be done with that priority too.
const [{ default: sharp }, { sharpOptions }] = await Promise.all([import('sharp'), import('./image.ts')]);

/** The picture scaled down to the format's limits, as WebP. */
async function renderThumbnail(
  content: Buffer,
  { maxWidth: width, maxHeight: height, isAnimated }: ThumbnailFormat,
): Promise<Uint8Array> {
  // Only still pictures can be turned upright.
  const picture = isAnimated
    ? sharp(content, { ...sharpOptions, animated: true })
    : sharp(content, sharpOptions).autoOrient();
  return await picture.resize({ width, height, fit: 'inside', withoutEnlargement: true }).webp().toBuffer();
}

/** The middle of the picture in a file as a square PNG, once for each size. */
async function renderAvatar(file: string, sizes: readonly number[]): Promise<Uint8Array[]> {
  const squareOf = (source: string | Buffer, size: number) =>
    sharp(source, sharpOptions).autoOrient().resize(size, size, { fit: 'cover' }).png().toBuffer();
  const largestSize = Math.max(...sizes);
  // What takes long is to decode the picture, so the smaller ones are made from the largest.
  const largest = await squareOf(file, largestSize);
  const pictures: Buffer[] = [];
  for (const size of sizes) pictures.push(size === largestSize ? largest : await squareOf(largest, size));
  return pictures;
}

/** The picture in a file as a PNG that fits into a box. */
async function renderLogo(
  file: string,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array> {
  return await sharp(file, sharpOptions)
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .png()
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
  const content = await sharp(file, { ...sharpOptions, animated: true })
    .resize(size, size, { fit: 'cover' })
    .toFormat(format)
    .toBuffer();
  return { content, contentType, still };
}

const decodings = { renderThumbnail, renderAvatar, renderLogo, renderEmoji };

/** What the process does, by name. */
export type Decodings = typeof decodings;

/** One thing for the process to do: which, and with what. */
export interface DecoderTask {
  name: keyof Decodings;
  args: unknown[];
}

/** What became of a task; null for a picture that is broken, since errors do not survive the way between processes. */
export type DecoderResult = { value: unknown } | null;

/** Performs a task in the process. */
export async function run({ name, args }: DecoderTask): Promise<DecoderResult> {
  // Safe: who makes a task gives a function its own arguments.
  const decode = decodings[name] as (...of: unknown[]) => Promise<unknown>;
  try {
    return { value: await decode(...args) };
  } catch {
    return null;
  }
}
