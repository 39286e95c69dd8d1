import {
  type RealmSetting,
  authenticationMethods,
  realmGroupSettings,
  realmSettings,
  userSettings,
} from '@parley/protocol';
import type { z } from 'zod';

import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import { because } from '../reasons.ts';
import type { Tally } from '../report.ts';
import type { Directory } from './directory.ts';
import type { Groups } from './groups.ts';
import { idOf } from './values.ts';

/** Settings that Zulip’s tables have as numbers, and its API and ours as words, in the order of the numbers from 1. */
const words = {
  message_edit_history_visibility_policy: ['all', 'moves', 'none'],
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
  topics_policy: ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Settings that name a channel, and the columns that they have at Zulip. */
export const channelColumns: Readonly<Partial<Record<RealmSetting, string>>> = {
  moderation_request_channel_id: 'moderation_request_channel',
  new_stream_announcements_stream_id: 'new_stream_announcements_stream',
  signup_announcements_stream_id: 'signup_announcements_stream',
  zulip_update_announcements_stream_id: 'zulip_update_announcements_stream',
};

/** Returns a value of ours as the tables there have it. */
export function numberOf(name: string, value: unknown): unknown {
  const list: readonly unknown[] | undefined = Object.entries(words).find(([one]) => one === name)?.[1];
  return list?.includes(value) === true ? list.indexOf(value) + 1 : value;
}

interface Setting {
  schema: z.ZodType;
  default: unknown;
  refused?: { value: unknown };
}

/** Returns the value in a column as our settings have it. */
export function wordOf(name: string, value: unknown): unknown {
  const list: readonly string[] | undefined = Object.entries(words).find(([one]) => one === name)?.[1];
  return list && typeof value === 'number' ? list[value - 1] : value;
}

/** Returns the settings in the columns of a row that differ from the defaults. */
function settingsOf(known: Readonly<Record<string, Setting>>, row: Json, tally: Tally): Json {
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, { schema, default: initial, refused }]) => {
      if (row[name] === undefined) return [];
      const parsed = schema.safeParse(wordOf(name, row[name]));
      if (!parsed.success || parsed.data === refused?.value) {
        tally.leaveOut('settings', because('setting_value', { setting: name }));
        return [];
      }
      tally.keep('settings');
      return parsed.data === initial ? [] : [[name, parsed.data] as const];
    }),
  );
}

const { email_address_visibility: visibility, ...storedUserSettings } = userSettings;

/** Returns the settings of an account. */
export const accountSettingsOf = (row: Json, tally: Tally): Json =>
  settingsOf(storedUserSettings, row, tally);

/** Returns who sees the address of an account. */
export function visibilityOf(row: Json): number {
  const visible = visibility.schema.safeParse(row['email_address_visibility']);
  return visible.success ? visible.data : visibility.default;
}

/** Returns the settings of the organization. */
export function realmSettingsOf({ realm, channels, tally }: Directory): Json {
  const named = Object.fromEntries(
    Object.entries(channelColumns).map(([name, column]) => {
      const id = idOf(realm, column);
      return [name, id !== undefined && channels.has(id) ? id : -1];
    }),
  );
  return settingsOf(realmSettings, { ...realm, ...named }, tally);
}

/** Returns the permissions of the organization that differ from the defaults. */
export function realmPermissionsOf({ realm }: Directory, groups: Groups): Json {
  const [own, initial] = [
    groups.permissions(realmGroupSettings, realm),
    groups.permissions(realmGroupSettings, {}),
  ];
  return Object.fromEntries(
    Object.entries(own).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name as keyof typeof initial]),
    ),
  );
}

/** Returns the ways to sign in that are switched off. If none would be left, none is. */
export async function signInOf(tables: JsonTables, tally: Tally): Promise<Record<string, boolean>> {
  const names = new Set<unknown>();
  for await (const { rows } of tables.rows('zerver_realmauthenticationmethod')) {
    for (const row of rows) names.add(row['name']);
  }
  const on = authenticationMethods.filter((name) => names.has(name));
  if (on.length === 0) {
    if (names.size > 0) tally.note('no_sign_in');
    return {};
  }
  return Object.fromEntries(
    authenticationMethods.flatMap((name) => (names.has(name) ? [] : [[name, false]])),
  );
}

/** Returns the defaults of settings for new accounts. */
export async function userDefaultsOf(tables: JsonTables, tally: Tally): Promise<Json> {
  for await (const { rows } of tables.rows('zerver_realmuserdefault')) {
    if (rows[0]) return settingsOf(userSettings, rows[0], tally);
  }
  return {};
}
