import { idMax } from '../schemas/values.ts';
import { exportedTables } from '../tables/index.ts';
import type { ExportedTable, Numbers } from '../tables/table.ts';
import { ArchiveRefused } from './damaged.ts';
import type { Bases } from './numbering.ts';
import type { Survey } from './survey.ts';
import type { Writing } from './writing.ts';

/** The greatest id that an archive keeps. Half of all ids stay for what comes after it. */
const keptMax = 2 ** 30;
/** How far beyond the last id an archive may keep its own, where others draw from the same sequence. */
const keptAheadMax = 2 ** 24;

/**
 * Reserves the numbers of an archive: those that it has, where all of them are free here, as in an empty deployment;
 * elsewhere as many as it has rows. Nobody draws from the sequences before the transaction ends, and if it fails they are
 * where they were.
 *
 * @throws ArchiveRefused if there are not enough numbers left
 */
export async function reserveNumbers(tx: Writing, { ids, manifest }: Survey): Promise<Bases> {
  const bases: Record<Numbers, number | null> = {};
  for (const table of exportedTables) {
    if (table.draws === undefined) continue;
    const { least = null, greatest = null } = manifest.tables[table.name] ?? {};
    const count = ids.get(table.draws)?.size ?? 0;
    bases[table.draws] =
      least === null || greatest === null || count === 0
        ? null
        : await reserve(tx, await sequenceOf(tx, table), { least, greatest, count });
  }
  return bases;
}

/** Sequences that are not those of a column `id`. */
const ownSequences: Readonly<Record<string, string>> = {
  messages: 'message_ids',
  presences: 'presence_updates',
};

async function sequenceOf(tx: Writing, { name }: ExportedTable): Promise<string> {
  const own = ownSequences[name];
  if (own !== undefined) return own;
  const [row] = await tx<
    { sequence: string | null }[]
  >`select pg_get_serial_sequence(${name}, 'id') as sequence`;
  if (!row?.sequence) throw new Error(`The ids of ${name} come from no sequence.`);
  return row.sequence;
}

async function reserve(
  tx: Writing,
  sequence: string,
  { least, greatest, count }: { least: number; greatest: number; count: number },
): Promise<number | null> {
  // This waits for everyone who draws, and lets nobody draw until the end of the transaction.
  await tx.unsafe(`alter sequence ${sequence} increment by 1`);
  const [state] = await tx.unsafe<{ last: number; used: boolean }[]>(
    `select last_value::float8 as last, is_called as used from ${sequence}`,
  );
  const last = state?.used ? state.last : (state?.last ?? 1) - 1;
  const isNear = last === 0 || greatest - last <= keptAheadMax;
  const isKept = least > last && greatest <= keptMax && isNear;
  const end = isKept ? greatest : last + count;
  if (end >= idMax) {
    throw new ArchiveRefused(`There are not enough ids left for the archive (${sequence}).`);
  }
  // Unlike setval, this is undone with the transaction.
  await tx.unsafe(`alter sequence ${sequence} restart with ${end + 1}`);
  return isKept ? null : last + 1;
}
