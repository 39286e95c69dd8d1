import { fileTypeFromBuffer } from 'file-type';
import pLimit from 'p-limit';
import sharp from 'sharp';

/** Larger pictures are stored and shown as they are, but not decoded, because a decoded picture is held in memory. */
export const imageBytesMax = 32 * 1024 * 1024;
/** The most pixels of a picture, of all its frames together. */
const pixelsMax = 90_000_000;

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

/** Each decoding takes a core and much memory, so only two run at once. */
const limitDecoding = pLimit(2);

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
  readonly reason: 'not-an-image' | 'too-many-pixels' | 'broken';
  constructor(reason: ImageRefused['reason']) {
    super(`An image is refused: ${reason}.`);
    this.reason = reason;
  }
}

const sharpOptions = { limitInputPixels: pixelsMax, failOn: 'truncated' as const, sequentialRead: true };

/**
 * The properties of a picture, read from its content. Throws ImageRefused if the picture cannot be decoded or has too
 * many pixels.
 */
export async function readImage(content: Buffer): Promise<ImageFacts> {
  const type = await fileTypeFromBuffer(content).catch(() => undefined);
  if (!type || !decodable.has(type.mime)) throw new ImageRefused('not-an-image');
  // This reads no pixels, so that a picture with too many of them can be distinguished from a broken one.
  const metadata = await sharp(content, { ...sharpOptions, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new ImageRefused('broken');
    });
  const { autoOrient, pages: frames = 1, pageHeight } = metadata;
  const [width, height] = [autoOrient.width, pageHeight ?? autoOrient.height];
  if (width * height * frames > pixelsMax) throw new ImageRefused('too-many-pixels');
  return { contentType: type.mime === 'image/apng' ? 'image/png' : type.mime, width, height, frames };
}

/** The picture scaled down to the format's limits, as WebP. */
export async function renderThumbnail(content: Buffer, format: ThumbnailFormat): Promise<Buffer> {
  const { maxWidth: width, maxHeight: height, isAnimated } = format;
  return await decodeWithLimit(() => {
    // Only still pictures can be turned upright.
    const picture = isAnimated
      ? sharp(content, { ...sharpOptions, animated: true })
      : sharp(content, sharpOptions).autoOrient();
    return picture.resize({ width, height, fit: 'inside', withoutEnlargement: true }).webp().toBuffer();
  });
}

/** The middle of the picture as a square PNG, once for each size. */
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
