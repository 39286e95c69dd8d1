import { z } from 'zod';

import { LoggedBot } from '../objects/bot.ts';
import { eventFamily } from './family.ts';

const { user_id, ...rest } = LoggedBot.omit({ email: true, bot_type: true }).shape;
const Change = z.strictObject({ user_id, ...z.strictObject(rest).partial().shape });
export type BotChange = z.infer<typeof Change>;

/** Bots were added, changed or given to another owner. Sent to the owner and to administrators. */
export const realmBot = eventFamily(
  'realm_bot',
  {
    add: { bot: LoggedBot },
    update: { bot: Change },
    delete: { bot: z.strictObject({ user_id }) },
  },
  {
    forClient(event, _, { apiKeyOf }) {
      if (event.op === 'delete' || event.bot.key_generation === undefined) return [event];
      const { key_generation: keyGeneration, ...bot } = event.bot;
      return [{ ...event, bot: { ...bot, api_key: apiKeyOf({ id: bot.user_id, keyGeneration }) } }];
    },
  },
);
