import { z } from 'zod';

import { TopicName } from './topic-name.ts';

export const draftTypes = ['', 'stream', 'private'] as const;
export type DraftType = (typeof draftTypes)[number];

/** A message that a user has not sent yet. `to` is the channel's id, or the ids of the other users. */
export const Draft = z.strictObject({
  id: z.int(),
  type: z.enum(draftTypes),
  to: z.array(z.int()),
  topic: TopicName,
  content: z.string(),
  timestamp: z.int(),
});
export type Draft = z.infer<typeof Draft>;
