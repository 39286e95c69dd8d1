import { type Tx, tables } from '@parley/db';
import { parseTextField, parseOptional } from '@parley/model';
import { assertAdministrator } from '@parley/model';
import {
  type Actor,
  type Realm,
  getRules,
  renderText,
  guestRestrictionEvents,
  listGuestIds,
  isOwner,
  type Rules,
  findChannel,
  assertExpectedSetting,
  parseGroupSetting,
  isSameSetting,
} from '@parley/model';
import { limits } from '@parley/protocol';
import {
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
  type PendingEvent,
  derivedFields,
} from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockConversations, lockRealm } from '../lock.ts';
import { fullMemberEvents } from '../users/index.ts';

export interface RealmEdit {
  name?: string | undefined;
  description?: string | undefined;
  settings: Partial<RealmSettings>;
  permissions: Partial<Record<RealmGroupSetting, GroupSettingChange>>;
  nowMs: number;
}

const parseRealmName = (raw: string) => parseTextField('name', raw, limits.realmNameLength);

const parseRealmDescription = (raw: string) =>
  parseTextField('description', raw, limits.realmDescriptionLength, { mayBeEmpty: true });

/** Changes what an organization is called, sets, and permits whom. What stays as it was is told to nobody. */
export async function edit(tx: Tx, actor: Actor, input: RealmEdit): Promise<ActionResult> {
  assertAdministrator(actor);
  const wanted = {
    ...input,
    name: parseOptional(input.name, parseRealmName),
    description: parseOptional(input.description, parseRealmDescription),
  };
  assertOwnerIfNeeded(actor, wanted);
  const realmId = actor.realm.id;
  const row = await lockRealm(tx, realmId);
  const rules = await getRules(tx, realmId);
  const settings = await changedSettings(tx, actor, wanted.settings, rules);
  const permissions = await changedPermissions(tx, realmId, wanted.permissions, rules);
  const { name = row.displayName, description = row.description } = wanted;
  await tx
    .update(tables.realms)
    .set({
      displayName: name,
      description,
      renderedDescription:
        description === row.description ? row.renderedDescription : await renderText(tx, actor, description),
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
      : await waitingPeriodEvents(tx, actor.realm, new Date(wanted.nowMs));
  return {
    events: [
      ...(name === row.displayName ? [] : [update('name', name)]),
      ...(description === row.description ? [] : [update('description', description)]),
      ...settingEvents(settings, rules),
      ...Object.entries(permissions).map(([property, value]) =>
        to.everyone(events.realm.update_dict({ property: 'default', data: { [property]: value } })),
      ),
      ...(access === undefined
        ? []
        : await guestRestrictionEvents(
            tx,
            actor.realm,
            rules,
            await listGuestIds(tx, realmId),
            access === rules.groupId('role:everyone') ? 'open' : 'restrict',
          )),
      ...fullMembers,
    ],
  };
}

/** By a waiting period that has just been changed. */
async function waitingPeriodEvents(tx: Tx, realm: Realm, now: Date): Promise<PendingEvent[]> {
  await lockConversations(tx, [realm.membersConversationId]);
  return await fullMemberEvents(tx, realm, await getRules(tx, realm.id), now);
}

function assertOwnerIfNeeded(actor: Actor, { settings, permissions }: RealmEdit): void {
  const rows = { ...realmSettings, ...realmGroupSettings } as Record<string, { isForOwners?: boolean }>;
  const isForOwners = Object.keys({ ...settings, ...permissions }).some((name) => rows[name]?.isForOwners);
  if (isForOwners && !isOwner(actor)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
  }
}

async function changedSettings(tx: Tx, actor: Actor, wanted: Partial<RealmSettings>, { settings }: Rules) {
  // Safe: the keys of a part of the settings.
  const names = (Object.keys(wanted) as RealmSetting[]).filter((name) => wanted[name] !== settings[name]);
  for (const name of names) {
    const { isChannel }: { isChannel?: 'any' | 'private' } = realmSettings[name];
    const value = wanted[name];
    if (isChannel === undefined || value === -1) continue;
    const found = await findChannel(tx, actor, Number(value));
    if (!found || found.channel.isArchived) throw new ApiError('BAD_REQUEST', 'Invalid channel ID');
    if (isChannel === 'private' && !found.channel.isPrivate) {
      throw new ApiError('BAD_REQUEST', `${name} must be a private channel.`);
    }
  }
  return Object.fromEntries(names.map((name) => [name, wanted[name]])) as Partial<RealmSettings>;
}

async function changedPermissions(
  tx: Tx,
  realmId: number,
  wanted: RealmEdit['permissions'],
  rules: Rules,
): Promise<Partial<RealmGroupSettings>> {
  const changed: Partial<RealmGroupSettings> = {};
  // Safe: the keys of a part of the permissions.
  for (const name of Object.keys(wanted) as RealmGroupSetting[]) {
    const change = wanted[name];
    if (!change) continue;
    const held = rules.groupSetting(name);
    assertExpectedSetting(held, change);
    const value = await parseGroupSetting(tx, realmId, rules, [name, realmGroupSettings[name]], change.new);
    if (!isSameSetting(value, held)) changed[name] = value;
  }
  return changed;
}

/** Settings that are told together are one event, with what follows from them in the words of older clients. */
function settingEvents(changed: Partial<RealmSettings>, { settings }: Rules): PendingEvent[] {
  const dict: Record<string, unknown> = {};
  const pending: PendingEvent[] = [];
  const tell = (property: string, value: RealmSettings[RealmSetting], isInDict: boolean) => {
    if (isInDict) dict[property] = value;
    else pending.push(to.everyone(events.realm.update({ property, value })));
  };
  for (const [name, value] of Object.entries(changed) as [RealmSetting, RealmSettings[RealmSetting]][]) {
    const { isInDict = false }: { isInDict?: boolean } = realmSettings[name];
    tell(name, value, isInDict);
    const before = derivedFields(realmSettings[name], settings[name]);
    for (const [field, derived] of Object.entries(derivedFields(realmSettings[name], value))) {
      if (derived !== before[field]) tell(field, derived, isInDict);
    }
  }
  if (Object.keys(dict).length > 0) {
    pending.push(to.everyone(events.realm.update_dict({ property: 'default', data: dict })));
  }
  return pending;
}
