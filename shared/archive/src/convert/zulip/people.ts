import * as model from '@parley/model';
import { TimeZone, botTypes, limits, roles } from '@parley/protocol';
import { z } from 'zod';

import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import { systemBotRows } from '../people.ts';
import { because } from '../reasons.ts';
import { UniqueNames, personName } from '../texts.ts';
import { type Directory, accountTables, botTypeOf, roleOf } from './directory.ts';
import type { Groups } from './groups.ts';
import { accountSettingsOf, visibilityOf } from './settings.ts';
import { countOf, firstTime, idOf, isTrue, textOf, timeOf } from './values.ts';

const Email = z.email().max(254);
const domain = 'zulip.invalid';

interface PeopleOptions {
  tables: JsonTables;
  directory: Directory;
  groups: Groups;
  /** The pictures of accounts. */
  avatars: ReadonlyMap<number, string>;
}

/** Yields the rows of all accounts: the owners of bots before the bots. */
export async function* userRows(options: PeopleOptions): AsyncGenerator<object> {
  const { directory } = options;
  const addresses = new UniqueNames();
  const activeOn = await lastDays(options.tables);
  yield* systemRows(directory, addresses);
  for (const isBot of [false, true]) {
    for (const table of accountTables) {
      for await (const { rows } of options.tables.rows(table)) {
        for (const row of rows) {
          if (isTrue(row, 'is_bot') === isBot) yield userRow(row, options, addresses, activeOn);
        }
      }
    }
  }
  for (const id of directory.gateways) {
    const gateway = { is_active: false, is_bot: true, full_name: 'Email Gateway' };
    yield userRow({ ...gateway, id, delivery_email: `emailgateway@${domain}` }, options, addresses, activeOn);
  }
  for (const id of directory.missing) {
    yield userRow({ id, is_active: false, full_name: `Unknown user ${id}` }, options, addresses, activeOn);
  }
}

function* systemRows({ systemBots, realm, realmId }: Directory, addresses: UniqueNames): Generator<object> {
  for (const row of systemBotRows(domain, Date.UTC(2012, 0) * 1000)) {
    const [local = ''] = row.email.split('@');
    addresses.take(row.email, row.email.length);
    const joined = timeOf(realm, 'date_created') ?? firstTime;
    yield { ...row, id: systemBots.get(local), realm_id: realmId, joined_at: joined };
  }
}

function userRow(
  row: Json,
  { directory, groups, avatars }: PeopleOptions,
  addresses: UniqueNames,
  activeOn: ReadonlyMap<number, string>,
): object {
  const { tally, channels, accounts, realmId } = directory;
  const id = idOf(row, 'id') ?? 0;
  const botType = botTypeOf(row);
  const kind = botType === null ? 'people' : 'bots';
  if (!directory.missing.has(id)) tally.keep(kind);
  const given = textOf(row, 'full_name');
  const name = personName(given, `User ${id}`);
  if (name !== given) tally.change(kind, 'name_cleaned');
  if (botType === botTypes.embedded) tally.change('bots', 'embedded_bot');
  const owner = idOf(row, 'bot_owner');
  const channelOf = (column: string) => {
    const channel = idOf(row, column);
    return channel !== undefined && channels.has(channel) ? channel : null;
  };
  const role = roleOf(row);
  const zone = textOf(row, 'timezone');
  return {
    id,
    realm_id: realmId,
    email: addressOf(row, id, kind, directory, addresses),
    full_name: name,
    role,
    is_full_member: role !== roles.member || (groups.isFullMember(id) ?? true),
    group_ids: groups.groupsOf(id),
    is_active: isTrue(row, 'is_active', true),
    bot_type: botType,
    bot_owner_id:
      botType !== null && owner !== undefined && accounts.get(owner)?.isBot === false ? owner : null,
    password_hash: null,
    key_generation: 1,
    email_visibility: visibilityOf(row),
    timezone: TimeZone.safeParse(zone).success ? zone : '',
    avatar_version: Math.max(1, countOf(row, 'avatar_version')),
    settings: accountSettingsOf(row, tally),
    is_system: false,
    avatar_path: avatars.get(id) ?? null,
    last_active_on: activeOn.get(id) ?? null,
    can_create_users: isTrue(row, 'can_create_users'),
    can_change_user_emails: isTrue(row, 'can_change_user_emails'),
    can_forge_sender: isTrue(row, 'can_forge_sender'),
    default_sending_channel_id: channelOf('default_sending_stream'),
    default_events_channel_id: channelOf('default_events_register_stream'),
    default_all_public_channels: isTrue(row, 'default_all_public_streams'),
    joined_at: timeOf(row, 'date_joined') ?? firstTime,
  };
}

/** Returns the address of an account: its own, unless that is none or another's. */
function addressOf(
  row: Json,
  id: number,
  kind: 'people' | 'bots',
  { tally }: Directory,
  addresses: UniqueNames,
): string {
  for (const column of ['delivery_email', 'email']) {
    const given = textOf(row, column).trim();
    if (!Email.safeParse(given).success) continue;
    if (addresses.take(given, limits.fullNameLength * 3) === given) return given;
    tally.noteConflict(because('two_addresses', { address: given }));
    break;
  }
  tally.change(kind, 'address_made_up');
  return addresses.take(`user${id}@${domain}`, limits.fullNameLength * 3);
}

/** Returns the last days on which accounts were seen. */
async function lastDays(tables: JsonTables): Promise<ReadonlyMap<number, string>> {
  const days = new Map<number, string>();
  for await (const { rows } of tables.rows('zerver_useractivity')) {
    for (const row of rows) {
      const [user, day] = [idOf(row, 'user_profile'), timeOf(row, 'last_visit')?.slice(0, 10)];
      if (user !== undefined && day !== undefined && day > (days.get(user) ?? '')) days.set(user, day);
    }
  }
  return days;
}

/** Returns the files of the pictures of accounts, by the account: paths in the export, by their ends. */
export async function avatarFiles(
  records: JsonTables | undefined,
): Promise<Map<number, Map<string, string>>> {
  const files = new Map<number, Map<string, string>>();
  for await (const { rows } of records?.rows('') ?? []) {
    for (const row of rows) {
      const [user, path] = [idOf(row, 'user_profile_id'), textOf(row, 'path')];
      if (user === undefined || path === '') continue;
      const own = files.get(user) ?? new Map<string, string>();
      files.set(user, own.set(/\.original$|-medium\.png$/.exec(path)?.[0] ?? '', path));
    }
  }
  return files;
}

export const avatarKey = (avatar: string, size: keyof typeof model.users.avatarSizes): string =>
  model.files.avatarPlace(avatar).variant(`${model.users.avatarSizes[size]}.png`);
