import { z } from 'zod';

import { emptyTopicDisplayName } from '../objects/message.ts';
import { event } from './family.ts';

/**
 * Messages of one place are gone: deleted, or moved to where the reader may not follow. Then the place is the one that
 * the reader knows.
 */
export const deleteMessage = event(
  'delete_message',
  {
    message_ids: z.array(z.int()),
    message_type: z.enum(['stream', 'private']),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  },
  {
    forClient({ message_ids, ...where }, client) {
      const place =
        where.topic === '' && !client.empty_topic_name ? { ...where, topic: emptyTopicDisplayName } : where;
      if (client.bulk_message_deletion) return [{ ...place, message_ids }];
      return message_ids.map((message_id) => ({ ...place, message_id }));
    },
  },
);
