import sharp from 'sharp';

/** Larger pictures take too long, even those that are decoded line by line. */
export const pixelsMax = { 'image/jpeg': 120_000_000, other: 40_000_000 };

sharp.concurrency(1);
sharp.cache(false);

/** How pictures are opened. */
export const sharpOptions = {
  limitInputPixels: pixelsMax['image/jpeg'],
  failOn: 'truncated' as const,
  sequentialRead: true,
};

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

/** An emoji's picture. */
export interface EmojiPictures {
  content: Uint8Array;
  contentType: string;
  /** Its first frame as a PNG, if it is animated. */
  still: Uint8Array | null;
}

/** The refusal of a picture, with its reason. */
export class ImageRefused extends Error {
  readonly reason: 'not-an-image' | 'too-many-pixels' | 'broken' | 'not-now';
  constructor(reason: ImageRefused['reason']) {
    super(`An image is refused: ${reason}.`);
    this.reason = reason;
  }
}
