import sharp, { type Sharp } from 'sharp';

export interface Drawing {
  width: number;
  height: number;
}

/** A picture of one colour. */
export const draw = ({ width, height }: Drawing) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 100, b: 0 } } });

/** A picture of which each point has a colour of its own, so that it compresses badly. */
export const drawNoise = ({ width, height }: Drawing, mean = 128) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: 0, g: 0, b: 0 },
      noise: { type: 'gaussian', mean, sigma: 60 },
    },
  });

/** Frames as one animated picture, however large the file. */
export const animate = async (frames: readonly Sharp[], format: 'gif' | 'webp'): Promise<Buffer> =>
  await sharp(await Promise.all(frames.map((frame) => frame.png({ compressionLevel: 1 }).toBuffer())), {
    join: { animated: true },
  })
    .toFormat(format, { effort: 1 })
    .toBuffer();
