import { exportedTables } from '@parley/archive';
import type { Sql } from '@parley/db';

/** What an organization has, table by table: its rows as texts, in their order. */
export type ImportedRows = ReadonlyMap<string, readonly string[]>;

/** Numbers of a kind that rows have, by which place each has among them. */
type Places = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** What is drawn at random, or is the number of a row that is read beside. */
const drawnAnew = new Set([
  'users.uuid',
  'attachments.released_at',
  'conversation_members.color',
  'conversation_heads.audience_id',
]);

/**
 * Reads what an organization has, so that two of the same archive are alike: instead of a number it says which one of its kind
 * it is, instead of one in a text that there is one, and of what has happened since a moment no more than that.
 */
export async function readImported(sql: Sql, realmId: number, since: Date): Promise<ImportedRows> {
  const read = new Map<string, Record<string, unknown>[]>();
  for (const { name, rows } of exportedTables) {
    const found = await sql.unsafe<{ row: Record<string, unknown> }[]>(
      `select to_jsonb(t) as row from ${name} t where ${rows(realmId)}`,
    );
    read.set(
      name,
      found.map(({ row }) => row),
    );
  }
  const places = placesIn(read);
  const imported = new Map<string, readonly string[]>();
  for (const table of exportedTables) {
    const texts = (read.get(table.name) ?? []).map((row) => textOf(table, row, places, since));
    imported.set(table.name, texts.sort());
  }
  const keys = await sql<{ key: string; id: string }[]>`
    select key::text, message_id::text as id from imported_messages where realm_id = ${realmId}`;
  imported.set('imported_messages', keys.map(({ key, id }) => `${key} ${id}`).sort());
  const audiences = await sql<{ size: number }[]>`
    select a.size from conversation_heads h join audiences a on a.realm_id = h.realm_id and a.id = h.audience_id
    where h.realm_id = ${realmId}`;
  return imported.set('audiences', audiences.map(({ size }) => String(size)).sort());
}

function placesIn(read: ReadonlyMap<string, readonly Record<string, unknown>[]>): Places {
  const places = new Map<string, ReadonlyMap<number, number>>();
  for (const { name, draws, drawnIn = 'id' } of exportedTables) {
    // Each organization counts its messages by itself.
    if (draws === undefined || draws === 'messages') continue;
    const rows = [...(read.get(name) ?? [])].sort((a, b) => Number(a[drawnIn]) - Number(b[drawnIn]));
    // One statement makes topics, in no order.
    if (name === 'topics') rows.sort((a, b) => compare(nameOf(a), nameOf(b)));
    const numbers = rows.map((row) => Number(row[drawnIn]));
    places.set(draws, new Map(numbers.map((number, place) => [number, place])));
  }
  return places;
}

const nameOf = (row: Readonly<Record<string, unknown>>) =>
  `${String(row['name'])} ${String(row['channel_id'])}`;
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function textOf(
  { name, refs, draws, drawnIn = 'id' }: (typeof exportedTables)[number],
  row: Readonly<Record<string, unknown>>,
  places: Places,
  since: Date,
): string {
  const entries = Object.entries(row).map(([column, value]): [string, unknown] => {
    const reference = refs[column];
    const kind = column === drawnIn ? draws : typeof reference === 'object' ? reference.ids : undefined;
    if (drawnAnew.has(`${name}.${column}`)) return [column, value !== null];
    if (column === 'realm_id') return [column, 0];
    if (kind !== undefined && kind !== 'messages') return [column, placeOf(value, places.get(kind))];
    if (kind !== undefined || typeof value === 'number') return [column, value];
    return [column, isSince(value, since) ? 'since' : withoutNumbers(value)];
  });
  return JSON.stringify(entries);
}

function placeOf(value: unknown, places: ReadonlyMap<number, number> | undefined): unknown {
  if (Array.isArray(value)) return value.map((one) => placeOf(one, places));
  return value === null ? null : (places?.get(Number(value)) ?? 'elsewhere');
}

const isSince = (value: unknown, since: Date) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && new Date(value) >= since;

const withoutNumbers = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value).replaceAll(/\d+/g, '#')
    : typeof value === 'string' && !/^\d{4}-\d\d-\d\dT/.test(value)
      ? value.replaceAll(/\d+/g, '#')
      : value;

/** Says in which tables two organizations differ, each with a row that only one of them has. */
export function describeDifferences(one: ImportedRows, other: ImportedRows): string[] {
  return [...one].flatMap(([name, rows]) => {
    const others = other.get(name) ?? [];
    if (rows.length === others.length && rows.every((row, index) => row === others[index])) return [];
    const lone = rows.find((row) => !others.includes(row)) ?? others.find((row) => !rows.includes(row));
    return [`${name}: ${rows.length} and ${others.length} rows, such as ${lone?.slice(0, 400)}`];
  });
}
