import { createHash } from 'node:crypto';

import * as model from '@parley/model';

/** The names of emoji by their codes, as JSON. */
export const emojiData = JSON.stringify({ code_to_names: model.emoji.unicodeEmojiNames });
const version = createHash('sha256').update(emojiData).digest('hex').slice(0, 16);

/** The path where clients fetch the names of emoji, without credentials. It changes whenever the content does. */
export const emojiDataPath = `/static/generated/emoji/emoji_api.${version}.json`;
