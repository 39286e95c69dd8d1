import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { unicodeEmojiNames, extraEmojiUrl } from '@parley/model';

const body = JSON.stringify({ code_to_names: unicodeEmojiNames });
const version = createHash('sha256').update(body).digest('hex').slice(0, 16);

/** The path where clients fetch the names of emoji, without credentials. It changes whenever the content does. */
export const emojiDataPath = `/static/generated/emoji/emoji_api.${version}.json`;

const forEver = 'public, max-age=31536000, immutable';

export function serveEmojiData(): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': forEver,
      'Access-Control-Allow-Origin': '*',
    },
  });
}

const picture = readFileSync(new URL('../../assets/extra-emoji.png', import.meta.url));

/** The path of the picture of the server's own extra emoji. */
export const extraEmojiPath = extraEmojiUrl;

export function serveExtraEmoji(): Response {
  return new Response(picture, { headers: { 'Content-Type': 'image/png', 'Cache-Control': forEver } });
}
