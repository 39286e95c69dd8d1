import { fileTypeFromFile } from 'file-type';
import pLimit from 'p-limit';
import sharp, { type Metadata } from 'sharp';

/** Larger pictures are stored and shown as they are, but not decoded. */
export const imageBytesMax = 32 * 1024 * 1024;
/** Larger pictures take too long, even those that are decoded line by line. */
const pixelsMax = { 'image/jpeg': 120_000_000, other: 40_000_000 };
/** The most memory that the pixels of a picture take where all of it has to be in memory at once. */
const decodedBytesMax = 96 * 1024 * 1024;
const deadlineSeconds = 10;
/** Pictures that may wait to be decoded. */
const waitingMax = 200;

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

/** Decoding takes a thread of the few that also read files, and memory, so pictures are decoded one after the other. */
const oneAtATime = pLimit(1);
sharp.concurrency(1);
sharp.cache(false);

export interface ImageFacts {
  contentType: string;
  /** The width of the picture as it is shown, after turning it upright. */
  width: number;
  height: number;
  frames: number;
}

export interface ThumbnailFormat {
  name: string;
  maxWidth: number;
  maxHeight: number;
  isAnimated: boolean;
}

/** The refusal of a picture, with its reason. */
export class ImageRefused extends Error {
  readonly reason: 'not-an-image' | 'too-many-pixels' | 'broken' | 'too-many-waiting';
  constructor(reason: ImageRefused['reason']) {
    super(`An image is refused: ${reason}.`);
    this.reason = reason;
  }
}

const sharpOptions = {
  limitInputPixels: pixelsMax['image/jpeg'],
  failOn: 'truncated' as const,
  sequentialRead: true,
};

/**
 * The properties of the picture in a file, read without decoding it. Throws ImageRefused if the picture cannot be decoded
 * or has too many pixels.
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

/** The picture scaled down to the format's limits, as WebP. `read` is called when its turn has come. */
export async function renderThumbnail(read: () => Promise<Buffer>, format: ThumbnailFormat): Promise<Buffer> {
  const { maxWidth: width, maxHeight: height, isAnimated } = format;
  return await decode(async () => {
    const content = await read();
    // Only still pictures can be turned upright.
    const picture = isAnimated
      ? sharp(content, { ...sharpOptions, animated: true })
      : sharp(content, sharpOptions).autoOrient();
    return await picture
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .webp()
      .timeout({ seconds: deadlineSeconds })
      .toBuffer();
  });
}

/** The middle of the picture in a file as a square PNG, once for each size. */
export async function renderAvatar(file: string, sizes: readonly number[]): Promise<Buffer[]> {
  return await decode(async () => {
    const pictures: Buffer[] = [];
    for (const size of sizes) {
      const square = sharp(file, sharpOptions).autoOrient().resize(size, size, { fit: 'cover' });
      pictures.push(await square.png().timeout({ seconds: deadlineSeconds }).toBuffer());
    }
    return pictures;
  });
}

/** The picture in a file as a PNG that fits into a box. */
export async function renderLogo(
  file: string,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  return await decode(() =>
    sharp(file, sharpOptions)
      .autoOrient()
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .png()
      .timeout({ seconds: deadlineSeconds })
      .toBuffer(),
  );
}

/** Types of pictures that stay animated when they are scaled. */
const animatedTypes = { 'image/gif': 'gif', 'image/webp': 'webp' } as const;

export interface EmojiPictures {
  content: Buffer;
  contentType: string;
  /** Its first frame as a PNG, if it is animated. */
  still: Buffer | null;
}

/** The middle of the picture in a file as a square of `size` pixels: a PNG, or an animated GIF or WebP. */
export async function renderEmoji(
  file: string,
  { contentType, frames }: Pick<ImageFacts, 'contentType' | 'frames'>,
  size: number,
): Promise<EmojiPictures> {
  const [still] = await renderAvatar(file, [size]);
  if (!still) throw new Error('No picture came back.');
  const format = frames > 1 ? animatedTypes[contentType as keyof typeof animatedTypes] : undefined;
  if (!format) return { content: still, contentType: 'image/png', still: null };
  const content = await decode(() =>
    sharp(file, { ...sharpOptions, animated: true })
      .resize(size, size, { fit: 'cover' })
      .toFormat(format)
      .timeout({ seconds: deadlineSeconds })
      .toBuffer(),
  );
  return { content, contentType, still };
}

async function decode<Result>(work: () => Promise<Result>): Promise<Result> {
  if (oneAtATime.pendingCount >= waitingMax) throw new ImageRefused('too-many-waiting');
  return await oneAtATime(work).catch(() => {
    throw new ImageRefused('broken');
  });
}
