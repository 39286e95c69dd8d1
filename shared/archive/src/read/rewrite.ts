import { realmSettingRows } from '@parley/protocol';

import type { ExportedTable, Numbers, Reference } from '../tables/table.ts';
import type { Shifts } from './shifts.ts';

export type Row = Record<string, unknown>;

/** Rewrites the numbers in a row of a table, in place. */
export type Rewriter = (row: Row) => void;

const channelSettings = realmSettingRows.filter(([, { isChannel }]) => isChannel).map(([name]) => name);

/** Raises the numbers in rows of a table; undefined where all of them stay as they are. */
export function createRewriter(table: ExportedTable, shifts: Shifts): Rewriter | undefined {
  if (Object.values(shifts).every((shift) => shift === 0)) return undefined;
  const by = (numbers: Numbers) => shifts[numbers] ?? 0;
  const { draws, drawnIn = 'id', refs } = table;
  const columns: Record<string, Reference> =
    draws === undefined ? { ...refs } : { ...refs, [drawnIn]: { ids: draws } };
  return (row) => {
    // What other columns say what they hold is read before these are changed.
    const before = { ...row };
    for (const [column, reference] of Object.entries(columns)) {
      if (row[column] !== null && row[column] !== undefined) {
        row[column] = rewrite(row[column], reference, { by, row: before });
      }
    }
  };
}

interface Context {
  readonly by: (numbers: Numbers) => number;
  row: Row;
}

function rewrite(value: unknown, reference: Reference, { by, row }: Context): unknown {
  if (typeof reference === 'object') return raise(value, by(reference.ids));
  switch (reference) {
    case 'permissions':
      return mapValues(value, (setting) => rewritePermission(setting, by));
    case 'realm settings':
      return mapValues(value, (setting, name) =>
        channelSettings.includes(name as never) && typeof setting === 'number' && setting > 0
          ? setting + by('channels')
          : setting,
      );
    case 'message ranges':
      return String(value).replaceAll(/\d+/g, (id) => String(Number(id) + by('messages')));
    case 'text':
      return rewriteText(String(value), by);
    case 'path':
      return String(value).replace(/^\d+/, (id) => String(Number(id) + by('realms')));
    case 'emoji code':
      return row['reaction_type'] === 'realm_emoji' ? String(Number(value) + by('realm_emoji')) : value;
    case 'draft recipients':
      return raise(value, by(row['type'] === 'stream' ? 'channels' : 'users'));
    case 'submessage':
      return String(value).replaceAll(
        /("key"\s*:\s*")(\d+)(,)/g,
        (_, start: string, id: string, end: string) => `${start}${Number(id) + by('users')}${end}`,
      );
    // The values of profile fields are rewritten in the end, when the fields' types are known.
    case 'profile value':
    case 'plain':
      break;
  }
  return value;
}

function raise(value: unknown, shift: number): unknown {
  if (Array.isArray(value)) return value.map((one) => raise(one, shift));
  return typeof value === 'number' ? value + shift : value;
}

const mapValues = (value: unknown, change: (value: unknown, name: string) => unknown) =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one, name)]))
    : value;

/** A permission: the id of a group, or people and groups. */
function rewritePermission(value: unknown, by: Context['by']): unknown {
  if (typeof value === 'number') return value + by('user_groups');
  return mapValues(value, (list, name) =>
    raise(list, by(name === 'direct_members' ? 'users' : 'user_groups')),
  );
}

/** Where ids stand in texts and in the HTML that is made of them: `$1` comes before each. */
const places: readonly (readonly [RegExp, Numbers])[] = [
  // Mentions that say whom they mean among several of a name.
  [/(@_?\*\*[^*\n|]{0,200}\|)(\d{1,10})(?=\*\*)/g, 'users'],
  [/(data-user-id=")(\d{1,10})(?=")/g, 'users'],
  [/(data-user-group-id=")(\d{1,10})(?=")/g, 'user_groups'],
  [/(data-stream-id=")(\d{1,10})(?=")/g, 'channels'],
  [/((?:^|[#/])narrow\/(?:channel|stream)\/)(\d{1,10})(?=-|\/|$|[^\w])/g, 'channels'],
  [/(\bnarrow\/[^\s"')]*\/(?:near|with|id)\/)(\d{1,10})/g, 'messages'],
  [/((?:user_uploads|user_uploads\/thumbnail|user_avatars)\/)(\d{1,10})(?=\/)/g, 'realms'],
];

const peopleInLinks = /(\bnarrow\/(?:dm|pm-with)\/)(\d{1,10}(?:,\d{1,10})*)/g;

function rewriteText(text: string, by: Context['by']): string {
  let changed = text;
  for (const [pattern, numbers] of places) {
    changed = changed.replaceAll(
      pattern,
      (_, start: string, id: string) => `${start}${Number(id) + by(numbers)}`,
    );
  }
  return changed.replaceAll(peopleInLinks, (_, start: string, ids: string) => {
    const raised = ids.split(',').map((id) => Number(id) + by('users'));
    return `${start}${raised.join(',')}`;
  });
}
