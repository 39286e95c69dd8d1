import { readFileSync } from 'node:fs';

import * as model from '@parley/model';

const read = (name: string) => readFileSync(new URL(`../../assets/${name}`, import.meta.url));

/** The server's own pictures by path: those that the HTML of messages names. */
export const pictures = [
  { path: model.texts.pictureUrls.extraEmoji, type: 'image/png', bytes: read('extra-emoji.png') },
  { path: model.texts.pictureUrls.loading, type: 'image/svg+xml', bytes: read('loading.svg') },
];
