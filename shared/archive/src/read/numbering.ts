import type { TableSummary } from '../manifest.ts';
import { exportedTables } from '../tables/index.ts';
import type { Numbers } from '../tables/table.ts';
import type { Survey } from './survey.ts';

/** The first of the new numbers of each kind; null where an archive keeps its own. */
export type Bases = Readonly<Record<Numbers, number | null>>;

/** How far apart the new numbers are, but for those of messages. It stands beside their bases, under the name of no kind. */
export const stepName = 'step';

/** Which numbers the rows of an archive get. They keep their order, and no number of another organization is among them. */
export interface Numbering {
  /** Returns the number that an id gets; undefined if no row of the archive has the id. */
  of(numbers: Numbers, id: number): number | undefined;
  /** Returns the numbers of the messages from one up to another, which is not among them; undefined if there are none. */
  ofMessages(from: number, to: number): readonly [from: number, to: number] | undefined;
  /** Returns the least and the greatest number of a kind; the first is above the last if there are none. */
  span(numbers: Numbers): readonly [first: number, last: number];
  /** Whether the ids of a kind are others than in the archive. */
  moves(numbers: Numbers): boolean;
}

export function createNumbering({ ids, manifest }: Survey, bases: Bases): Numbering {
  const baseOf = (numbers: Numbers) => bases[numbers] ?? null;
  const stepOf = (numbers: Numbers) => (numbers === 'messages' ? 1 : (bases[stepName] ?? 1));
  const { least = null, greatest = null }: Partial<TableSummary> = manifest.tables['messages'] ?? {};
  return {
    of(numbers, id) {
      const set = ids.get(numbers);
      if (set?.has(id) !== true) return undefined;
      const base = baseOf(numbers);
      return base === null ? id : base + stepOf(numbers) * (set.rank(id) - 1);
    },
    ofMessages(from, to) {
      const base = baseOf('messages');
      const set = ids.get('messages');
      const first = base === null || !set ? Math.max(from, least ?? to) : base + set.rank(from - 1);
      const end = base === null || !set ? Math.min(to, (greatest ?? 0) + 1) : base + set.rank(to - 1);
      return first < end ? [first, end] : undefined;
    },
    span(numbers) {
      const base = baseOf(numbers);
      if (base !== null) return [base, base + stepOf(numbers) * ((ids.get(numbers)?.size ?? 0) - 1)];
      const table = exportedTables.find(({ draws }) => draws === numbers);
      const summary = manifest.tables[table?.name ?? ''];
      return [summary?.least ?? 1, summary?.greatest ?? 0];
    },
    moves: (numbers) => baseOf(numbers) !== null,
  };
}
