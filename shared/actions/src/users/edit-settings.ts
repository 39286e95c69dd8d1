import { type Tx, tables } from '@parley/db';
import { parseFullName, parseOptional, type Actor, isAdministrator, hasId } from '@parley/model';
import * as model from '@parley/model';
import {
  type UserSettings,
  type ActionResult,
  fullUserSettings,
  type UserSetting,
  languageName,
  to,
  events,
  userSettings,
} from '@parley/protocol';

import type { AfterCommit } from '../after-commit.ts';
import { removeAll as removeAllDrafts } from '../drafts/index.ts';
import { lockConversations, lockUser } from '../lock.ts';
import { setVisibility } from '../presence/index.ts';
import { writeStatus } from '../user-status/index.ts';
import { userChangeEvents } from './events.ts';
import { reserveName } from './names.ts';

export interface SettingsEdit {
  settings: Partial<UserSettings>;
  fullName?: string | undefined;
  timezone?: string | undefined;
  /** True if the user's status is not updated with `presence_enabled`, because the caller does so. */
  isStatusKept?: boolean;
  nowMs: number;
}

/**
 * Changes the actor's settings, name and time zone. There are events only for what differs from before. A new name is
 * ignored where the realm does not let users change theirs.
 *
 * @throws BAD_REQUEST for a bot, or a name that is invalid or taken
 */
export async function editSettings(
  tx: Tx,
  { actor, settings, timezone, isStatusKept = false, nowMs, ...input }: { actor: Actor } & SettingsEdit,
): Promise<ActionResult & AfterCommit> {
  model.permissions.assertHuman(actor);
  const fullName = parseOptional(input.fullName, parseFullName);
  const { realm } = actor;
  const rules = await model.permissions.getRules(tx, realm.id);
  const mayRename = !rules.settings.name_changes_disabled || isAdministrator(actor);
  const name = mayRename ? fullName : undefined;
  if (name !== undefined) await reserveName(tx, actor, name, rules);
  // Who may see an email address depends on roles, so changes of accounts take turns.
  if (settings.email_address_visibility !== undefined) {
    await lockConversations(tx, realm, [realm.membersConversationId]);
  }

  const before = await lockUser(tx, actor);
  const current: UserSettings = {
    ...fullUserSettings(before.settings),
    email_address_visibility: before.emailVisibility,
  };
  // Safe: these are keys of the settings.
  const changed = (Object.keys(settings) as UserSetting[]).filter(
    (property) => settings[property] !== undefined && settings[property] !== current[property],
  );
  const { email_address_visibility = before.emailVisibility, ...stored } = Object.fromEntries(
    changed.map((property) => [property, settings[property]]),
  ) as Partial<UserSettings>;

  const [after] = await tx
    .update(tables.users)
    .set({
      settings: { ...before.settings, ...stored },
      emailVisibility: email_address_visibility,
      fullName: name ?? before.fullName,
      timezone: timezone ?? before.timezone,
    })
    .where(hasId(tables.users, realm, actor.id))
    .returning();
  if (!after) throw new Error(`User ${actor.id} acted and does not exist.`);

  const removedDrafts =
    stored.enable_drafts_synchronization === false ? await removeAllDrafts(tx, actor) : [];

  const user = model.users.publicEmail(before, realm.emailDomain);
  const properties: Record<string, boolean | number | string> = { ...current, ...settings };
  if (after.timezone !== before.timezone) properties['timezone'] = after.timezone;
  const changedProperties = [...changed, ...(after.timezone === before.timezone ? [] : ['timezone'])];
  const inheritingBy = await model.channels.listInheriting(tx, actor, changedProperties);
  const settingEvents = changedProperties.flatMap((property) => {
    const value = properties[property];
    if (value === undefined) return [];
    const language = property === 'default_language' ? { language_name: languageName(String(value)) } : {};
    const inheriting = inheritingBy.get(property);
    const inherited = inheriting && inheriting.channels.length > 0 ? { inheriting } : {};
    return [to.user(actor, events.userSettings.update({ property, value, user, ...language, ...inherited }))];
  });
  const isShown = isStatusKept ? undefined : stored.presence_enabled;
  const statusEvents =
    isShown === undefined ? [] : (await writeStatus(tx, realm, actor, { away: !isShown })).events;
  const consentEvents =
    'allow_private_data_export' in stored ? [await model.exports.exportConsentEvent(tx, after)] : [];
  const { presence_enabled } = stored;
  return {
    ...(presence_enabled !== undefined && {
      afterCommit: (db: Tx) => setVisibility(db, actor, presence_enabled, nowMs),
    }),
    events: [
      // Clients that know by then that drafts are no longer synchronized keep their own copies.
      ...settingEvents,
      ...removedDrafts,
      ...consentEvents,
      ...statusEvents,
      ...(await userChangeEvents(tx, realm, before, after, rules)),
    ],
    changesRules:
      after.fullName !== before.fullName || changed.some((property) => userSettings[property].isForSending),
  };
}
editSettings.actionName = 'users.editSettings' as const;
