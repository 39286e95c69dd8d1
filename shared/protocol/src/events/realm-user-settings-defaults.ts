import { z } from 'zod';

import { SettingValue } from '../settings/user.ts';
import { eventFamily } from './family.ts';

/** A default setting of new accounts changed. Sent to everyone in the realm. */
export const realmUserSettingsDefaults = eventFamily('realm_user_settings_defaults', {
  update: { property: z.string(), value: SettingValue },
});
