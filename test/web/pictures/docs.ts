import { mkdir, writeFile } from 'node:fs/promises';

import { sayProgress } from '@parley/infra';
import sharp from 'sharp';

import type { Places } from './organization.ts';
import { type Studio, type Theme, photograph, widths } from './photograph.ts';
import { views } from './views.ts';

const folder = new URL('../../../../docs/pictures/', import.meta.url).pathname;
const bytesMax = 200_000;

interface DocsPicture {
  name: string;
  view: string;
  width: keyof typeof widths;
  theme: Theme;
}

const pictures: readonly DocsPicture[] = [
  { name: 'topic-light', view: 'topic', width: 'desktop', theme: 'light' },
  { name: 'topic-dark', view: 'topic-end', width: 'desktop', theme: 'dark' },
  { name: 'topic-phone', view: 'topic', width: 'phone', theme: 'light' },
  { name: 'inbox', view: 'inbox', width: 'desktop', theme: 'light' },
  { name: 'recent-dark', view: 'recent', width: 'desktop', theme: 'dark' },
  { name: 'compose', view: 'compose', width: 'desktop', theme: 'light' },
  { name: 'settings', view: 'settings-display', width: 'desktop', theme: 'light' },
  { name: 'administration', view: 'administration-people', width: 'desktop', theme: 'light' },
];

/** Makes the pictures of docs/pictures: of fewer colors, and of a phone twice as sharp. Returns how many they are. */
export async function makeDocs(studio: Studio, places: Places): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const { name, view, width, theme } of pictures) {
    const { who, pose } = views.find((one) => one.name === view) ?? {};
    if (who === undefined || !pose) throw new Error(`There is no view ${view}.`);
    await using posing = await studio.open(who, {
      ...widths[width],
      ...(width === 'phone' && { deviceScaleFactor: 2 }),
    });
    await pose(posing.page, places);
    const shot = (await photograph(posing))[theme];
    const small = await sharp(shot).png({ palette: true, quality: 90, effort: 10 }).toBuffer();
    if (small.length > bytesMax) throw new Error(`${name} has ${small.length} bytes.`);
    await writeFile(`${folder}${name}.png`, small);
    sayProgress(`docs/pictures/${name}.png: ${Math.ceil(small.length / 1024)} KiB`);
  }
  return pictures.length;
}
