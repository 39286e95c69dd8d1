import { z } from 'zod';

import { Draft } from '../objects/draft.ts';
import { eventFamily } from './family.ts';

/** A user's drafts changed. Sent to that user's own clients. */
export const drafts = eventFamily('drafts', {
  add: { drafts: z.array(Draft) },
  update: { draft: Draft },
  remove: { draft_id: z.int() },
});
