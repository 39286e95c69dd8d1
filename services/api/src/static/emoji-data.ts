import { createHash } from 'node:crypto';

import * as model from '@parley/model';

const body = JSON.stringify({ code_to_names: model.emoji.unicodeEmojiNames });
const version = createHash('sha256').update(body).digest('hex').slice(0, 16);

/** The path where clients fetch the names of emoji, without credentials. It changes whenever the content does. */
export const emojiDataPath = `/static/generated/emoji/emoji_api.${version}.json`;

export function serveEmojiData(): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Access-Control-Allow-Origin': '*',
    },
  });
}
