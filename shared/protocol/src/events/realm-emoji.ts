import { z } from 'zod';

import { RealmEmoji } from '../objects/emoji.ts';
import { eventFamily } from './family.ts';

/** All custom emoji of the organization by id, after any change. Sent to everyone in the realm. */
export const realmEmoji = eventFamily('realm_emoji', {
  update: { realm_emoji: z.record(z.string(), RealmEmoji) },
});
