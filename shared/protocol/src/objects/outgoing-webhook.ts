import { z } from 'zod';

import { EditHistoryEntry, Message } from './message.ts';

/** Why the service of an outgoing-webhook bot is told of a message. */
const WebhookTrigger = z.enum(['direct_message', 'mention']);
export type WebhookTrigger = z.infer<typeof WebhookTrigger>;

/** What the service of an outgoing-webhook bot is sent in the general format. */
export const WebhookPayload = z.strictObject({
  bot_email: z.string(),
  bot_full_name: z.string(),
  /** The message as it was written. */
  data: z.string(),
  trigger: WebhookTrigger,
  /** The bot's own, by which its service knows that the request is from here. */
  token: z.string(),
  message: Message.extend({
    rendered_content: z.string(),
    edit_history: z.array(EditHistoryEntry).min(1).optional(),
    last_edit_timestamp: z.int().optional(),
    last_moved_timestamp: z.int().optional(),
  }),
});
export type WebhookPayload = z.infer<typeof WebhookPayload>;

/** A delivery that was given up, as administrators are shown it. */
export const WebhookFailure = z.strictObject({
  id: z.int(),
  bot_id: z.int(),
  message_id: z.int(),
  trigger: WebhookTrigger,
  attempts: z.int(),
  /** In seconds since 1970. */
  failed_at: z.int(),
  /** Why, in a few words. */
  failure: z.string(),
});
export type WebhookFailure = z.infer<typeof WebhookFailure>;
