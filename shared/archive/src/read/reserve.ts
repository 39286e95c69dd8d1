import type { Sql } from '@parley/db';

import { bigIdMax } from '../schemas/values.ts';
import { exportedTables } from '../tables/index.ts';
import type { ExportedTable, Numbers } from '../tables/table.ts';
import { type Bases, stepName } from './numbering.ts';
import { refused } from './refused.ts';
import type { Survey } from './survey.ts';
import type { Writing } from './writing.ts';

/** How far beyond the last id an archive may keep its own, where others draw from the same sequence. */
const keptAheadMax = 2 ** 24;

/**
 * Reserves the numbers of an archive: those that it has, where all of them are free here, as in an empty deployment;
 * elsewhere as many as it has rows. Nobody draws from the sequences before the transaction ends, and if it fails they are
 * where they were. Where a realm has been drawn already, its database is one of several servers, of which each draws numbers
 * of its own, so many apart: an archive keeps none there, and gets those of the server that holds the realm.
 *
 * @throws ArchiveRefused if there are not enough numbers left
 */
export async function reserveNumbers(
  tx: Writing,
  { ids, manifest }: Survey,
  realmId: number | null = null,
): Promise<Bases> {
  const bases: Record<Numbers, number | null> = {};
  for (const table of exportedTables) {
    if (table.draws === undefined) continue;
    const { least = null, greatest = null } = manifest.tables[table.name] ?? {};
    const count = ids.get(table.draws)?.size ?? 0;
    const drawn = least === null || greatest === null || count === 0 ? null : { least, greatest, count };
    const sequence = drawn && (await sequenceOf(tx, table));
    if (drawn === null) bases[table.draws] = null;
    else if (realmId !== null && table.draws === 'realms') bases[table.draws] = realmId;
    else if (sequence === null) bases[table.draws] = baseInRealm(drawn);
    else {
      const { base, step } = await reserve(tx, sequence, { ...drawn, mayKeep: realmId === null });
      bases[table.draws] = base;
      if (realmId !== null) bases[stepName] = step;
    }
  }
  return bases;
}

/** Draws the number of a realm, where it says which server holds it. Who dies before an import begins leaves it unused. */
export async function drawRealm(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('realms', 'id'))::int as id`;
  if (!row) throw new Error('A sequence has no number.');
  return row.id;
}

/** The numbers that an archive has of a kind. */
interface Drawn {
  least: number;
  greatest: number;
  count: number;
}

/** Half of all ids stay for what comes after those of an archive. */
const keptPart = 0.5;

/** A realm counts its messages by itself, so an archive keeps their ids, unless these leave no room. */
const baseInRealm = ({ greatest }: Drawn): number | null => (greatest <= bigIdMax * keptPart ? null : 1);

/** Returns the sequence that rows of a table draw from; null for messages, which each realm counts by itself. */
async function sequenceOf(tx: Writing, { name }: ExportedTable): Promise<string | null> {
  if (name === 'presences') return 'presence_updates';
  if (name === 'messages') {
    const [shared] = await tx<
      { sequence: string | null }[]
    >`select to_regclass('message_ids')::text as sequence`;
    return shared?.sequence ?? null;
  }
  // Where each server draws its own, the sequence belongs to no column.
  const [row] = await tx<{ sequence: string | null }[]>`
    select coalesce(pg_get_serial_sequence(${name}, 'id'), to_regclass(${`${name}_id_seq`})::text) as sequence`;
  if (!row?.sequence) throw new Error(`The ids of ${name} come from no sequence.`);
  return row.sequence;
}

async function reserve(
  tx: Writing,
  sequence: string,
  { least, greatest, count, mayKeep }: Drawn & { mayKeep: boolean },
): Promise<{ base: number | null; step: number }> {
  // This waits for everyone who draws, and lets nobody draw until the end of the transaction.
  await tx`select change_sequence(${sequence}, null)`;
  const [state] = await tx.unsafe<{ last: number; used: boolean; max: number; step: number }[]>(
    `select last_value::float8 as last, is_called as used, least(seqmax, ${bigIdMax})::float8 as max,
        seqincrement::int as step
      from ${sequence}, pg_sequence where seqrelid = '${sequence}'::regclass`,
  );
  const max = state?.max ?? 0;
  const step = state?.step ?? 1;
  const last = state?.used ? state.last : (state?.last ?? 1) - step;
  const isNear = last === 0 || greatest - last <= keptAheadMax;
  const isKept = mayKeep && least > last && greatest <= max * keptPart && isNear;
  const end = isKept ? greatest : last + step * count;
  if (end >= max) {
    throw refused('no_ids', { sequence });
  }
  await tx`select change_sequence(${sequence}, ${end + step})`;
  return { base: isKept ? null : last + step, step };
}
