import type { Tx } from '@parley/db';
import {
  emojiSets,
  notificationSounds,
  type LegacyEvent,
  userSettingRows,
  fullUserSettings,
} from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { getRealm } from '../realms/find.ts';

const choices = { emojiset_choices: emojiSets, available_notification_sounds: notificationSounds };

/** Returns `user_settings` of POST /register. */
export const settingsState = ({ settings, timezone }: Actor) => ({ ...settings, timezone, ...choices });

/**
 * Returns the settings that old clients expect at the top level of POST /register, selected by the event that changes
 * them.
 */
export function legacySettingsState(actor: Actor, legacy: LegacyEvent): Record<string, unknown> {
  const settings: Record<string, unknown> = actor.settings;
  const flat = Object.fromEntries(
    userSettingRows.filter(([, row]) => row.legacy === legacy).map(([name]) => [name, settings[name]]),
  );
  return legacy === 'update_display_settings'
    ? { ...flat, timezone: actor.timezone, emojiset_choices: emojiSets }
    : { ...flat, available_notification_sounds: notificationSounds };
}

/** Returns `realm_user_settings_defaults` of POST /register: the settings of new accounts. */
export async function defaultSettingsState(tx: Tx, realmId: number) {
  return { ...fullUserSettings((await getRealm(tx, realmId)).userDefaults), ...choices };
}
