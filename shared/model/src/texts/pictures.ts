import { loadingPictureUrl } from '@parley/markdown';

import { extraEmojiUrl } from '../emoji/extra.ts';

/** Paths of the server's own pictures that the HTML of messages names. */
export const pictureUrls = { extraEmoji: extraEmojiUrl, loading: loadingPictureUrl };
