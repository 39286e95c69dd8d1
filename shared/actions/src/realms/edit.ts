import { type Tx, tables } from '@parley/db';
import { parseTextField, parseOptional, type Actor, type Realm, isOwner } from '@parley/model';
import * as model from '@parley/model';
import {
  limits,
  type RealmSettings,
  type RealmGroupSetting,
  type GroupSettingChange,
  type ActionResult,
  to,
  events,
  realmSettings,
  realmGroupSettings,
  ApiError,
  type RealmSetting,
  type RealmGroupSettings,
  type realmSettingRows,
  type PendingEvent,
  derivedFields,
} from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockConversations, lockRealm, lockUserGroups } from '../lock.ts';
import { fullMemberEvents } from '../users/index.ts';
import { type MethodsChange, changedMethods } from './authentication.ts';
import { rename } from './rename.ts';

export interface RealmEdit {
  name?: string | undefined;
  description?: string | undefined;
  /** The name in the address. */
  subdomain?: string | undefined;
  authentication?: MethodsChange | undefined;
  settings: Partial<RealmSettings>;
  permissions: Partial<Record<RealmGroupSetting, GroupSettingChange>>;
  nowMs: number;
}

type SettingRow = (typeof realmSettingRows)[number][1];

const parseRealmName = (raw: string) => parseTextField('name', raw, limits.realmNameLength);

const parseRealmDescription = (raw: string) =>
  parseTextField('description', raw, limits.realmDescriptionLength, { mayBeEmpty: true });

/**
 * Changes a realm's name, address, description, settings and permissions. There are events only for what differs from
 * before.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators; for some settings, for anyone but owners
 * @throws BAD_REQUEST for an invalid name, address, description or value, and for a value that would have no effect here
 * @throws SYSTEM_GROUP_REQUIRED for a permission that only system groups may have
 * @throws EXPECTATION_MISMATCH when a permission is not what the client expects
 */
export async function edit(tx: Tx, { actor, ...input }: { actor: Actor } & RealmEdit): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const changes = {
    ...input,
    name: parseOptional(input.name, parseRealmName),
    description: parseOptional(input.description, parseRealmDescription),
  };
  assertOwnerIfNeeded(actor, changes);
  const realmId = actor.realm.id;
  const row = await lockRealm(tx, realmId);
  if (Object.keys(changes.permissions).length > 0) await lockUserGroups(tx, realmId, 'shared');
  const rules = await model.permissions.getRules(tx, realmId);
  const settings = await changedSettings(tx, actor, changes.settings, rules);
  const permissions = await changedPermissions(tx, realmId, changes.permissions, rules);
  const renamed = changes.subdomain === undefined ? [] : await rename(tx, actor, row.name, changes.subdomain);
  const methods = changedMethods(row, changes.authentication);
  const { name = row.displayName, description = row.description } = changes;
  await tx
    .update(tables.realms)
    .set({
      displayName: name,
      description,
      renderedDescription:
        description === row.description
          ? row.renderedDescription
          : await model.texts.renderText(tx, actor, description),
      authenticationMethods: methods.stored,
      settings: { ...row.settings, ...settings },
      groupSettings: { ...row.groupSettings, ...permissions },
    })
    .where(eq(tables.realms.id, realmId));

  const update = (property: string, value: boolean | number | string | null) =>
    to.everyone(events.realm.update({ property, value }));
  const access = permissions.can_access_all_users_group;
  const fullMembers =
    settings.waiting_period_threshold === undefined
      ? []
      : await waitingPeriodEvents(tx, actor.realm, new Date(changes.nowMs));
  return {
    events: [
      ...(name === row.displayName ? [] : [update('name', name)]),
      ...(description === row.description ? [] : [update('description', description)]),
      ...settingEvents(settings, rules),
      ...methods.events,
      ...Object.entries(permissions).map(([property, value]) =>
        to.everyone(events.realm.update_dict({ property: 'default', data: { [property]: value } })),
      ),
      ...(access === undefined
        ? []
        : await guestEvents(
            tx,
            actor.realm,
            rules,
            access === rules.groupId('role:everyone') ? 'open' : 'restrict',
          )),
      ...fullMembers,
      ...renamed,
    ],
    changesRules: true,
  };
}
edit.actionName = 'realms.edit' as const;

/**
 * Events of users who appear to guests, or disappear. Meanwhile nobody joins a channel, since guests see the users of
 * theirs, and no account is created.
 */
async function guestEvents(
  tx: Tx,
  realm: Realm,
  rules: model.permissions.Rules,
  op: 'restrict' | 'open',
): Promise<PendingEvent[]> {
  const { channels } = tables;
  const rows = await tx
    .select({ conversationId: channels.conversationId })
    .from(channels)
    .where(eq(channels.realmId, realm.id));
  await lockConversations(tx, realm, [
    realm.membersConversationId,
    ...rows.map(({ conversationId }) => conversationId),
  ]);
  return await model.accessChanges.guestRestrictionEvents(
    tx,
    realm,
    rules,
    await model.access.listGuestIds(tx, realm.id),
    op,
  );
}

/** Events of users who become full members, or cease to be, because the waiting period has changed. */
async function waitingPeriodEvents(tx: Tx, realm: Realm, now: Date): Promise<PendingEvent[]> {
  await lockConversations(tx, realm, [realm.membersConversationId]);
  return await fullMemberEvents(tx, realm, await model.permissions.getRules(tx, realm.id), now);
}

function assertOwnerIfNeeded(
  actor: Actor,
  { settings, permissions, subdomain, authentication }: RealmEdit,
): void {
  const rows = { ...realmSettings, ...realmGroupSettings } as Record<string, { isForOwners?: boolean }>;
  const isForOwners =
    subdomain !== undefined ||
    authentication !== undefined ||
    Object.keys({ ...settings, ...permissions }).some((name) => rows[name]?.isForOwners);
  if (isForOwners && !isOwner(actor)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Only owners of the organization can do this.');
  }
}

async function changedSettings(
  tx: Tx,
  actor: Actor,
  input: Partial<RealmSettings>,
  { settings }: model.permissions.Rules,
) {
  // Safe: these are keys of the settings.
  const names = (Object.keys(input) as RealmSetting[]).filter((name) => input[name] !== settings[name]);
  for (const name of names) {
    const { isChannel, refused }: Pick<SettingRow, 'isChannel' | 'refused'> = realmSettings[name];
    const value = input[name];
    if (refused && value === refused.value) throw new ApiError('BAD_REQUEST', refused.msg);
    if (isChannel === undefined || value === -1) continue;
    const access = await model.access.findChannel(tx, actor, Number(value));
    if (!access || access.channel.isArchived)
      throw new ApiError('BAD_REQUEST', 'This channel does not exist.');
    if (isChannel === 'private' && !access.channel.isPrivate) {
      throw new ApiError('BAD_REQUEST', `'${name}' must be a private channel.`);
    }
  }
  return Object.fromEntries(names.map((name) => [name, input[name]])) as Partial<RealmSettings>;
}

async function changedPermissions(
  tx: Tx,
  realmId: number,
  input: RealmEdit['permissions'],
  rules: model.permissions.Rules,
): Promise<Partial<RealmGroupSettings>> {
  const changed: Partial<RealmGroupSettings> = {};
  // Safe: these are keys of the permissions.
  for (const name of Object.keys(input) as RealmGroupSetting[]) {
    const change = input[name];
    if (!change) continue;
    const current = rules.groupSetting(name);
    model.permissions.assertExpectedSetting(current, change);
    const value = await model.permissions.parseGroupSetting(
      tx,
      realmId,
      [name, realmGroupSettings[name]],
      change.new,
    );
    if (!model.permissions.isSameSetting(value, current)) changed[name] = value;
  }
  return changed;
}

/** Events of changed settings. Settings that clients expect together are one event, with the fields of older clients. */
function settingEvents(
  changed: Partial<RealmSettings>,
  { settings }: model.permissions.Rules,
): PendingEvent[] {
  const dict: Record<string, unknown> = {};
  const pending: PendingEvent[] = [];
  const add = (property: string, value: RealmSettings[RealmSetting], isInDict: boolean) => {
    if (isInDict) dict[property] = value;
    else pending.push(to.everyone(events.realm.update({ property, value })));
  };
  for (const [name, value] of Object.entries(changed) as [RealmSetting, RealmSettings[RealmSetting]][]) {
    const { isInDict = false }: { isInDict?: boolean } = realmSettings[name];
    add(name, value, isInDict);
    const before = derivedFields(realmSettings[name], settings[name]);
    for (const [field, derived] of Object.entries(derivedFields(realmSettings[name], value))) {
      if (derived !== before[field]) add(field, derived, isInDict);
    }
  }
  if (Object.keys(dict).length > 0) {
    pending.push(to.everyone(events.realm.update_dict({ property: 'default', data: dict })));
  }
  return pending;
}
