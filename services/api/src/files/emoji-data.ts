import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { unicodeNames, extraEmojiUrl } from '@parley/model';

const body = JSON.stringify({ code_to_names: unicodeNames });
const version = createHash('sha256').update(body).digest('hex').slice(0, 16);

/** Where clients fetch the names of emoji, without credentials. The address changes with what stands there. */
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

/** The picture of the emoji that the server brings along. */
export const extraEmojiPath = extraEmojiUrl;

export function serveExtraEmoji(): Response {
  return new Response(picture, { headers: { 'Content-Type': 'image/png', 'Cache-Control': forEver } });
}
