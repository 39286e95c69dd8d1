import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { event, sentEvent } from './family.ts';
import { ofArchived, reachesClient } from './of-archived.ts';

const place = {
  message_type: z.enum(['stream', 'private']),
  stream_id: z.int().optional(),
  topic: TopicName.optional(),
};

/**
 * Messages of one conversation or topic are gone: they were deleted, or moved to where the user has no access. After
 * a move, the event names the place that they were in before.
 */
export const deleteMessage = event(
  'delete_message',
  { message_ids: z.array(z.int()), ...place, of_archived: ofArchived },
  {
    sent: [
      sentEvent('delete_message', { message_ids: z.array(z.int()), ...place }),
      sentEvent('delete_message', { message_id: z.int(), ...place }),
    ],
    countMax: ({ message_ids }) => message_ids.length,
    forClient({ message_ids, of_archived, ...place }, client) {
      if (!reachesClient(of_archived, client)) return [];
      if (client.bulk_message_deletion) return [{ ...place, message_ids }];
      return message_ids.map((message_id) => ({ ...place, message_id }));
    },
  },
);
