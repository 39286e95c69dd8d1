import { z } from 'zod';

import { SettingValue, legacyEventOf } from '../settings/user.ts';
import { type WireEvent, eventFamily } from './family.ts';

const language = { language_name: z.string().optional() };

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
