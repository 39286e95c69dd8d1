import { realmSettingRows } from '@parley/protocol';

import { findForbidden, permissionTables } from '../schemas/permissions.ts';
import { isProfileValue } from '../schemas/profiles.ts';
import { fromJson } from '../schemas/values.ts';
import type { ExportedTable, Numbers, Reference } from '../tables/table.ts';
import type { Numbering } from './numbering.ts';
import { type TextRewriter, createTextRewriter } from './resolve-text.ts';
import { type Row, refusedRow } from './row.ts';
import type { Survey } from './survey.ts';

/**
 * Gives a row of a table the ids that it has here; null for a row that is left out because it refers to one that the
 * archive does not have.
 */
export type Resolver = (row: Row) => Row | null;

/** What rows are looked up in. */
interface Resolution {
  survey: Pick<Survey, 'manifest' | 'systemGroups' | 'profileFields'>;
  numbering: Numbering;
}

/** A value that refers to a row which the archive does not have, where that is allowed. */
const missing = Symbol('missing');

const channelSettings: readonly string[] = realmSettingRows.flatMap(([name, { isChannel }]) =>
  isChannel ? [name] : [],
);

/**
 * Returns a function that resolves every reference in rows of a table inside the archive.
 *
 * The function throws ArchiveRefused for a reference that leads out of it.
 */
export function createResolver(table: ExportedTable, resolution: Resolution): Resolver {
  const { name, draws, drawnIn = 'id', refs, loose = {} } = table;
  const columns: readonly (readonly [string, Reference])[] = Object.entries(
    draws === undefined ? refs : { ...refs, [drawnIn]: { ids: draws } },
  );
  const rewriteText = createTextRewriter(resolution.numbering);
  const resolving = columns
    .filter(([, reference]) => reference !== 'plain')
    .map(([column, reference]) => ({
      column,
      reference,
      context: { ...resolution, table, column, rewriteText },
    }));
  return (row) => {
    const resolved: Row = { ...row };
    for (const { column, reference, context } of resolving) {
      const value = row[column];
      if (value === null || value === undefined) continue;
      const found = resolve(value, reference, row, context);
      if (found !== missing) resolved[column] = found;
      else if (loose[column] === 'row') return null;
      else if (loose[column] === 'null') resolved[column] = null;
      else throw refusedRow(name, column);
    }
    return name === 'drafts' ? withAddress(resolved) : resolved;
  };
}

interface Context extends Resolution {
  table: ExportedTable;
  column: string;
  rewriteText: TextRewriter;
}

function resolve(value: unknown, reference: Reference, row: Row, context: Context): unknown {
  if (typeof reference === 'object') return resolveIds(value, reference.ids, context);
  const { numbering, rewriteText } = context;
  switch (reference) {
    case 'permissions':
      return resolvePermissions(value, context);
    case 'realm settings':
      return resolveSettings(value, context);
    case 'message ranges':
      return resolveRanges(String(value), numbering);
    case 'remembered message':
      return resolveRemembered(Number(value), numbering);
    case 'text':
      return rewriteText(String(value));
    case 'path':
      return resolvePath(String(value), context);
    case 'emoji code':
      return row['reaction_type'] === 'realm_emoji'
        ? textOf(numbering.of('realm_emoji', Number(value)))
        : value;
    case 'draft recipients':
      return resolveIds(value, row['type'] === 'stream' ? 'channels' : 'users', context);
    case 'profile value':
      return resolveProfileValue(String(value), row, context);
    case 'submessage':
      return numbering.moves('users') ? rewriteVoters(String(value), numbering) : value;
    default:
      return value;
  }
}

const textOf = (id: number | undefined) => (id === undefined ? missing : String(id));

function resolveIds(value: unknown, numbers: Numbers, { numbering, table, column }: Context): unknown {
  if (!Array.isArray(value)) return numbering.of(numbers, Number(value)) ?? missing;
  const ids = value.map((id) => numbering.of(numbers, Number(id)));
  const found = ids.filter((id) => id !== undefined);
  return found.length === ids.length || table.loose?.[column] === 'omit' ? found : missing;
}

/** Permissions name groups, and people beside them. All of them have to be there, and be allowed to have the permission. */
function resolvePermissions(value: unknown, { survey, numbering, table }: Context): unknown {
  // Safe: the value has passed the schema of permissions.
  const settings = value as Record<string, number | { direct_members: number[]; direct_subgroups: number[] }>;
  if (findForbidden(permissionTables[table.name] ?? {}, settings, survey.systemGroups) !== undefined) {
    return missing;
  }
  const resolved: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const groups = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
    const members = typeof setting === 'number' ? [] : setting.direct_members;
    const groupIds = groups.flatMap((id) => numbering.of('user_groups', id) ?? []);
    const userIds = members.flatMap((id) => numbering.of('users', id) ?? []);
    if (groupIds.length < groups.length || userIds.length < members.length) return missing;
    resolved[name] =
      typeof setting === 'number' ? groupIds[0] : { direct_members: userIds, direct_subgroups: groupIds };
  }
  return resolved;
}

/** A setting that names a channel which is not there names none. */
function resolveSettings(value: unknown, { numbering }: Context): unknown {
  // Safe: the value has passed the schema of settings.
  const settings = Object.entries(value as Record<string, unknown>).map(([name, setting]) => {
    if (!channelSettings.includes(name) || typeof setting !== 'number' || setting <= 0) {
      return [name, setting] as const;
    }
    return [name, numbering.of('channels', setting) ?? -1] as const;
  });
  return Object.fromEntries(settings);
}

function resolveRanges(value: string, numbering: Numbering): string {
  const ranges = [...value.matchAll(/\[(\d+),(\d+)\)/g)].flatMap(([, from, to]) => {
    const resolved = numbering.ofMessages(Number(from), Number(to));
    return resolved ? [`[${resolved.join(',')})`] : [];
  });
  return `{${ranges.join(',')}}`;
}

/** A message that is gone keeps a number that no other has; or it has 0, which no message has. */
function resolveRemembered(id: number, numbering: Numbering): number {
  const found = numbering.of('messages', id);
  if (found !== undefined) return found;
  const isReserved = !numbering.moves('messages') && numbering.ofMessages(id, id + 1) !== undefined;
  return isReserved ? id : 0;
}

function resolvePath(value: string, { survey, numbering }: Context): unknown {
  const [, realmId = '', rest = ''] = /^(\d+)(\/.+)$/su.exec(value) ?? [];
  if (Number(realmId) !== survey.manifest.realm.id) return missing;
  const resolved = numbering.of('realms', Number(realmId));
  return resolved === undefined ? missing : `${resolved}${rest}`;
}

function resolveProfileValue(value: string, row: Row, { survey, numbering }: Context): unknown {
  const field = survey.profileFields.get(Number(row['field_id']));
  if (!field || !isProfileValue(field, value, row['rendered_value'] !== null)) return missing;
  const named = fromJson(value);
  if (!Array.isArray(named)) return value;
  const ids = named.flatMap((id) => numbering.of('users', Number(id)) ?? []);
  if (ids.length < named.length) return missing;
  return numbering.moves('users') ? JSON.stringify(ids) : value;
}

/** Votes name who made the option: `12,3` is the third of user 12. */
const rewriteVoters = (content: string, numbering: Numbering) =>
  content.replaceAll(
    /("key"\s*:\s*")(\d{1,10})(,)/g,
    (_, start: string, id: string, end: string) => `${start}${numbering.of('users', Number(id)) ?? 0}${end}`,
  );

/** A draft to a channel that is not there is addressed to nobody. */
function withAddress(draft: Row): Row {
  const { recipients } = draft;
  const isEmpty = Array.isArray(recipients) && recipients.length === 0;
  return isEmpty ? { ...draft, type: '', topic: '' } : draft;
}
