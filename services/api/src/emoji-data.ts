import { createHash } from 'node:crypto';

import { emoji } from '@parley/domain';

const body = JSON.stringify({ code_to_names: emoji.unicodeNames });
const version = createHash('sha256').update(body).digest('hex').slice(0, 16);

/** Where clients fetch the names of emoji, without credentials. The address changes with what stands there. */
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
