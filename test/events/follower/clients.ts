import { sectionTypes } from '@parley/api';

import { newest } from '../../support/index.ts';

/** Parts of the state that no entry of the log keeps up to date. */
const unfollowed = new Set([
  // Ephemeral events tell of it, and may be lost.
  'presence',
  // Always the same.
  'realm_embedded_bots',
  'realm_incoming_webhook_bots',
  'realm_filters',
  'realm_billing',
  'giphy',
  'push_device',
  'video_calls',
  'stop_words',
]);

const topicSections = new Set(['user_topic', 'muted_topics']);

/** All others. Whatever of them is not read into a field of its own is compared as it was answered. */
const sections = sectionTypes.filter((type) => !unfollowed.has(type) && !topicSections.has(type));

/** Two ways to know the same. */
export const sectionsOf = { modern: [...sections, 'user_topic'], oldest: [...sections, 'muted_topics'] };

/** What a client may be able to read: a new one, and the oldest there is. */
export const clients = { modern: newest, oldest: undefined } as const;

export type ClientKind = keyof typeof clients;
