import { z } from 'zod';

const BotService = z.strictObject({ base_url: z.string(), interface: z.int(), token: z.string() });

const channelName = z.string().nullable();

/**
 * A bot, as its owner and administrators see it. The log holds no API key, only the generation that the key is
 * derived from.
 */
export const LoggedBot = z.strictObject({
  user_id: z.int(),
  full_name: z.string(),
  email: z.string(),
  bot_type: z.int(),
  is_active: z.boolean(),
  key_generation: z.int(),
  avatar_url: z.string(),
  default_sending_stream: channelName,
  default_events_register_stream: channelName,
  default_all_public_streams: z.boolean(),
  owner_id: z.int().nullable(),
  services: z.array(BotService),
});
export type LoggedBot = z.infer<typeof LoggedBot>;
