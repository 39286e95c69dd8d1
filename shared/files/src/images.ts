import { fileTypeFromBuffer } from 'file-type';
import pLimit from 'p-limit';
import sharp from 'sharp';

/** Larger files are kept and shown as they are, but not decoded: a picture in work is in memory. */
export const imageBytesMax = 32 * 1024 * 1024;
/** Of all frames together. */
const pixelsMax = 90_000_000;

/** What libvips may be given. Found by the first bytes, so that nobody sends a document by a picture's name. */
const decodable: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
]);

/** Decoding takes a core and much memory each. */
const limitDecoding = pLimit(2);

export interface ImageFacts {
  contentType: string;
  /** As it is shown, turned upright. */
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

/** Why a picture is not taken. */
export class ImageRefused extends Error {
  readonly reason: 'not-an-image' | 'too-many-pixels' | 'broken';
  constructor(reason: ImageRefused['reason']) {
    super(`An image is refused: ${reason}.`);
    this.reason = reason;
  }
}

const sharpOptions = { limitInputPixels: pixelsMax, failOn: 'truncated' as const, sequentialRead: true };

/** What a picture is, by its content. Refuses what cannot be decoded or is too large to be. */
export async function readImage(content: Buffer): Promise<ImageFacts> {
  const type = await fileTypeFromBuffer(content).catch(() => undefined);
  if (!type || !decodable.has(type.mime)) throw new ImageRefused('not-an-image');
  // Reads no pixels, so that too many of them can be told from broken ones.
  const found = await sharp(content, { ...sharpOptions, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new ImageRefused('broken');
    });
  const { autoOrient, pages: frames = 1, pageHeight } = found;
  const [width, height] = [autoOrient.width, pageHeight ?? autoOrient.height];
  if (width * height * frames > pixelsMax) throw new ImageRefused('too-many-pixels');
  return { contentType: type.mime === 'image/apng' ? 'image/png' : type.mime, width, height, frames };
}

/** The picture made small enough, as WebP. */
export async function renderThumbnail(content: Buffer, format: ThumbnailFormat): Promise<Buffer> {
  const { maxWidth: width, maxHeight: height, isAnimated } = format;
  return await decodeWithLimit(() => {
    // Only still pictures can be turned.
    const picture = isAnimated
      ? sharp(content, { ...sharpOptions, animated: true })
      : sharp(content, sharpOptions).autoOrient();
    return picture.resize({ width, height, fit: 'inside', withoutEnlargement: true }).webp().toBuffer();
  });
}

/** The middle of the picture as a square PNG, for each size. */
export async function renderAvatar(content: Buffer, sizes: readonly number[]): Promise<Buffer[]> {
  return await decodeWithLimit(() =>
    Promise.all(
      sizes.map((size) =>
        sharp(content, sharpOptions).autoOrient().resize(size, size, { fit: 'cover' }).png().toBuffer(),
      ),
    ),
  );
}

async function decodeWithLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  return await limitDecoding(work).catch(() => {
    throw new ImageRefused('broken');
  });
}
