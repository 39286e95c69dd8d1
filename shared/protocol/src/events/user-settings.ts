import { z } from 'zod';

import type { Client } from '../client.ts';
import { InheritedSettings } from '../objects/channel.ts';
import { SettingValue, legacyEventOf } from '../settings/user.ts';
import { type WireEvent, eventFamily, sentEvent } from './family.ts';

const language = { language_name: z.string().optional() };

const legacy = { user: z.string(), setting: SettingValue, ...language };

const inheriting = {
  property: InheritedSettings.keyof(),
  /** Archived channels are only for clients with the capability `archived_channels`. */
  channels: z.array(z.strictObject({ id: z.int(), is_archived: z.boolean() })),
};

/**
 * A user changed a setting. Sent to that user's own clients. Clients without the capability `user_settings_object`
 * also get the older event for it. Clients without the capability `notification_settings_null` are told of the channels
 * that inherit it.
 */
export const userSettings = eventFamily(
  'user_settings',
  {
    update: {
      property: z.string(),
      value: SettingValue,
      ...language,
      /** The user's email address in the API, which the older events contain. */
      user: z.string(),
      /** The channels in which the user has set nothing else, where it is a setting that channels inherit. */
      inheriting: z.strictObject(inheriting).optional(),
    },
  },
  {
    sent: [
      sentEvent('user_settings', {
        op: z.literal('update'),
        property: z.string(),
        value: SettingValue,
        ...language,
      }),
      sentEvent('update_display_settings', { setting_name: z.string(), ...legacy }),
      sentEvent('update_global_notifications', { notification_name: z.string(), ...legacy }),
    ],
    also: ['update_display_settings', 'update_global_notifications', 'subscription'],
    countMax: ({ inheriting }) => 2 + (inheriting?.channels.length ?? 0),
    forClient({ user, inheriting, ...event }, client) {
      const inherited = inheriting ? inheritedEvents(inheriting, event.value, client) : [];
      const legacy = legacyEventOf(event.property);
      if (client.user_settings_object || !legacy) return [event, ...inherited];
      const { property, value, language_name } = event;
      const old: WireEvent =
        legacy === 'update_display_settings'
          ? { type: legacy, user, setting_name: property, setting: value }
          : { type: legacy, user, notification_name: property, setting: value };
      return [event, language_name === undefined ? old : { ...old, language_name }, ...inherited];
    },
  },
);

function inheritedEvents(
  { property, channels }: z.infer<z.ZodObject<typeof inheriting>>,
  value: SettingValue,
  client: Client,
): WireEvent[] {
  if (client.notification_settings_null) return [];
  return channels
    .filter((channel) => client.archived_channels || !channel.is_archived)
    .map(({ id }) => ({ type: 'subscription', op: 'update', stream_id: id, property, value }));
}
