import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { hashOf } from './hash-of.ts';

/**
 * Draws the icons of the installed client. Of the last, systems cut off the edges, whatever their shape: the drawing keeps
 * away from them, on a ground of its own.
 */
export async function drawIcons(drawing: string, folder: string): Promise<void> {
  const { default: sharp } = await import('sharp');
  const svg = await readFile(drawing);
  const drawn = (size: number) =>
    sharp(svg, { density: (72 * size) / 32 })
      .resize(size, size)
      .png();
  const inner = await drawn(308).toBuffer();
  const ground = { width: 512, height: 512, channels: 4, background: '#f6f5f2' } as const;
  const icons = {
    'icon-192': drawn(192),
    'icon-512': drawn(512),
    'icon-maskable': sharp({ create: ground })
      .composite([{ input: inner }])
      .png(),
  };
  for (const [name, icon] of Object.entries(icons)) {
    const bytes = await icon.toBuffer();
    await writeFile(join(folder, `${name}-${hashOf(bytes)}.png`), bytes);
  }
}
