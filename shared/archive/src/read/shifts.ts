import type { Manifest } from '../manifest.ts';
import { exportedTables } from '../tables/index.ts';
import { type ExportedTable, type Numbers } from '../tables/table.ts';
import { ArchiveRefused } from './damaged.ts';
import type { Writing } from './writing.ts';

/** By how much the numbers of an archive are raised, by what they are ids of. Numbers keep their order. */
export type Shifts = Readonly<Record<Numbers, number>>;

/** The greatest id that fits into its column. */
const idMax = 2_147_483_647;

/** The tables whose rows draw numbers, and what they draw. */
const drawing = exportedTables.flatMap((table) =>
  table.draws === undefined ? [] : [{ table, numbers: table.draws }],
);

/**
 * Reserves the numbers of an archive. Numbers that are free here are kept: all of them in an empty deployment. Nobody
 * draws from the sequences before the transaction ends.
 *
 * Throws ArchiveRefused if there are not enough numbers left.
 */
export async function reserveNumbers(tx: Writing, manifest: Manifest): Promise<Shifts> {
  const shifts: Record<Numbers, number> = {};
  for (const { table, numbers } of drawing) {
    const { least = null, greatest = null } = manifest.tables[table.name] ?? {};
    shifts[numbers] =
      least === null || greatest === null
        ? 0
        : await reserve(tx, await sequenceOf(tx, table), { least, greatest });
  }
  return shifts;
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
  { least, greatest }: { least: number; greatest: number },
): Promise<number> {
  // This waits for everyone who draws, and lets nobody draw until the end of the transaction.
  await tx.unsafe(`alter sequence ${sequence} increment by 1`);
  const [state] = await tx.unsafe<{ last: number; used: boolean }[]>(
    `select last_value::float8 as last, is_called as used from ${sequence}`,
  );
  const last = state?.used ? state.last : (state?.last ?? 1) - 1;
  const shift = least > last ? 0 : last + 1 - least;
  if (greatest + shift > idMax) {
    throw new ArchiveRefused(`There are not enough ids left for the archive (${sequence}).`);
  }
  await tx.unsafe(`select setval('${sequence}', ${greatest + shift})`);
  return shift;
}
