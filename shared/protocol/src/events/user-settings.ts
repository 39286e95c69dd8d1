import { z } from 'zod';

import { SettingValue, legacyEventOf } from '../settings/user.ts';
import { type WireEvent, eventFamily, sentEvent } from './family.ts';

const language = { language_name: z.string().optional() };

const legacy = { user: z.string(), setting: SettingValue, ...language };

/**
 * A user changed a setting. Sent to that user's own clients. Clients without the capability `user_settings_object`
 * also get the older event for it.
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
    also: ['update_display_settings', 'update_global_notifications'],
    forClient({ user, ...event }, client) {
      const legacy = legacyEventOf(event.property);
      if (client.user_settings_object || !legacy) return [event];
      const { property, value, language_name } = event;
      const old: WireEvent =
        legacy === 'update_display_settings'
          ? { type: legacy, user, setting_name: property, setting: value }
          : { type: legacy, user, notification_name: property, setting: value };
      return [event, language_name === undefined ? old : { ...old, language_name }];
    },
  },
);
