import { z } from 'zod';

import { LoggedBot } from '../objects/bot.ts';
import { eventFamily, sentEvent } from './family.ts';

const { user_id, ...rest } = LoggedBot.omit({ email: true, bot_type: true }).shape;
const Change = z.strictObject({ user_id, ...z.strictObject(rest).partial().shape });
export type BotChange = z.infer<typeof Change>;

/** Clients are sent the key where the log has its generation. */
const bot = LoggedBot.omit({ key_generation: true }).shape;
const changes = Change.omit({ key_generation: true }).shape;
const api_key = z.string();

/** Bots were added, changed or given to another owner. Sent to the owner and to administrators. */
export const realmBot = eventFamily(
  'realm_bot',
  {
    add: { bot: LoggedBot },
    update: { bot: Change },
    delete: { bot: z.strictObject({ user_id }) },
  },
  {
    sent: [
      sentEvent('realm_bot', { op: z.literal('add'), bot: z.strictObject({ ...bot, api_key }) }),
      sentEvent('realm_bot', {
        op: z.literal('update'),
        bot: z.strictObject({ ...changes, api_key: api_key.optional() }),
      }),
      sentEvent('realm_bot', { op: z.literal('delete'), bot: z.strictObject({ user_id }) }),
    ],
    forClient(event, _, { apiKeyOf }) {
      if (event.op === 'delete' || event.bot.key_generation === undefined) return [event];
      const { key_generation: keyGeneration, ...bot } = event.bot;
      return [{ ...event, bot: { ...bot, api_key: apiKeyOf({ id: bot.user_id, keyGeneration }) } }];
    },
  },
);
