import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** Points of a picture: four bytes for each, row by row. */
export interface Points {
  width: number;
  height: number;
  data: Buffer;
}

export interface Difference {
  /** The points that differ, as a share of all. */
  share: number;
  /** What differs, over a pale picture; null where there is no other picture, or one of another size. */
  shown: Points | null;
  /** What is wrong if not the points. */
  reason: string | null;
}

/**
 * How far apart two colors are that count as the same: 1 is from black to white. A rendering repeats itself exactly; this
 * leaves out what nobody sees.
 */
const threshold = 0.01;

export async function readPoints(picture: Buffer): Promise<Points> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** The points as a file, without a loss. With more effort, from 0 to 6, it is smaller, and takes longer. */
export const writePicture = ({ width, height, data }: Points, effort: number): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .webp({ lossless: true, effort })
    .toBuffer();

/**
 * Returns how a picture differs from the one that was accepted, or null where nobody would see it: points at edges that
 * are only smoothed otherwise do not count.
 */
export function compare(accepted: Points | null, now: Points): Difference | null {
  if (!accepted) return { share: 1, shown: null, reason: 'nothing was accepted' };
  const { width, height } = now;
  if (accepted.width !== width || accepted.height !== height) {
    const reason = `${accepted.width} × ${accepted.height} points were accepted, and these are ${width} × ${height}`;
    return { share: 1, shown: null, reason };
  }
  if (accepted.data.equals(now.data)) return null;
  const shown = Buffer.alloc(now.data.length);
  const count = pixelmatch(accepted.data, now.data, shown, width, height, { threshold });
  return count === 0
    ? null
    : { share: count / (width * height), shown: { width, height, data: shown }, reason: null };
}
