import { z } from 'zod';

/** Capabilities that a client may declare at registration. An absent one is false. */
export const capabilityNames = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'zulip_extra_emoji',
] as const;

const flag = z.boolean().default(false);

const capabilities = Object.fromEntries(capabilityNames.map((name) => [name, flag])) as Record<
  (typeof capabilityNames)[number],
  typeof flag
>;

/** The form in which a client wants its events: its capabilities, and the options that change what events contain. */
export const Client = z.object({
  ...capabilities,
  apply_markdown: flag,
  client_gravatar: flag,
  slim_presence: flag,
  /** Queues that were registered by nodes that did not know of it are sent subscribers, as they were then. */
  include_subscribers: z.boolean().default(true),
});
export type Client = z.infer<typeof Client>;

const clientFlags = Object.keys(Client.shape) as (keyof Client)[];

/** Clients with the same key are sent the same bytes. */
export function clientKey(client: Client): number {
  return clientFlags.reduce((key, name, bit) => key | (client[name] ? 1 << bit : 0), 0);
}

/** Returns whether the program of this name mirrors messages of another service. */
export const isMirror = (name: string) => /mirror/i.test(name);
