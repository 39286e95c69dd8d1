import { readFileSync } from 'node:fs';

import * as model from '@parley/model';

/** Serves a picture of the server's own to anyone. */
function picture(name: string, contentType: string): () => Response {
  const bytes = readFileSync(new URL(`../../assets/${name}`, import.meta.url));
  return () =>
    new Response(bytes, {
      headers: { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=31536000, immutable' },
    });
}

/** The server's own pictures by path: those that the HTML of messages names. */
export const pictures: Readonly<Record<string, () => Response>> = {
  [model.texts.pictureUrls.extraEmoji]: picture('extra-emoji.png', 'image/png'),
  [model.texts.pictureUrls.loading]: picture('loading.svg', 'image/svg+xml'),
};
