import type { ArchiveRow } from '../../support/archives.ts';

/** What a value of a row becomes. `foreign` is an id of the same kind that another realm has. */
type Mutation = (value: unknown, foreign: number) => unknown;

const script = '<script>alert(1)</script><img src=x onerror=alert(1)>';

/** Ways in which a value of a row is forged, by their names. */
const mutations: Readonly<Record<string, Mutation>> = {
  'the id of another realm': (value, foreign) => withNumbers(value, foreign),
  'an id of the first rows': (value) => withNumbers(value, 1),
  zero: (value) => withNumbers(value, 0),
  'a negative number': (value) => withNumbers(value, -7),
  'the greatest number': (value) => withNumbers(value, 2_147_483_647),
  'a number beyond': (value) => withNumbers(value, 2 ** 53),
  'a fraction': (value) => withNumbers(value, 1.5),
  null: () => null,
  'another type': (value) => (typeof value === 'string' ? 17 : 'seventeen'),
  yes: () => true,
  'an empty list': () => [],
  'an empty object': () => ({}),
  script: () => script,
  'script behind it': (value) => (typeof value === 'string' ? `${value} ${script}` : script),
  'a null character': () => 'a\0b',
  'half a character': () => 'a\uD800',
  'a long text': () => 'x'.repeat(300_000),
  'deep lists': () => JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) as unknown,
  'a path': () => '../../../../etc/passwd',
  'a path in another realm': (_, foreign) => `${foreign}/AAAAAAAAAAAAAAAAAAAAAAAA/a.txt`,
  'the highest role': () => 100,
  'all numbers': () => '{[0,9999999999)}',
  'a setting of an operator': (value) => ({ ...(value as object), can_forge_sender: true, plan_type: 3 }),
};

/** Returns a value in which each number, wherever it stands, is another; where there is none, that number itself. */
function withNumbers(value: unknown, number: number): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? [number] : value.map((one) => withNumbers(one, number));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'number' || typeof one === 'object' ? withNumbers(one, number) : one,
    ]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string') return number;
  const changed = value.replaceAll(/\d+/g, String(number));
  return changed === value ? String(number) : changed;
}

/** Ways in which rows of a table are forged, by their names. */
const rowMutations: Readonly<Record<string, (rows: ArchiveRow[]) => ArchiveRow[]>> = {
  'a row twice': (rows) => [...rows, ...rows.slice(0, 1)],
  'no rows': () => [],
  'one row less': (rows) => rows.slice(1),
  'a column more': (rows) => rows.map((row) => ({ ...row, forged: 1 })),
  'a column less': (rows) => rows.map((row) => Object.fromEntries(Object.entries(row).slice(1))),
  'rows in another order': (rows) => rows.toReversed(),
};

/** One try: what is forged, and where. */
export interface Try {
  table: string;
  /** Null where rows as a whole are forged. */
  column: string | null;
  how: string;
}

/** Returns every try for rows of a table. */
export function triesOf(table: string, columns: readonly string[]): Try[] {
  return [
    ...columns.flatMap((column) => Object.keys(mutations).map((how) => ({ table, column, how }))),
    ...Object.keys(rowMutations).map((how) => ({ table, column: null, how })),
  ];
}

/** Returns the rows of a table as a try forges them. */
export function forge(
  rows: ArchiveRow[],
  { column, how }: Try,
  foreign: number,
  random: () => number,
): ArchiveRow[] {
  if (column === null) return rowMutations[how]?.(rows) ?? rows;
  const candidates = rows.filter((row) => row[column] !== null);
  const among = candidates.length > 0 ? candidates : rows;
  const forged = among[Math.floor(random() * among.length)];
  const mutate = mutations[how];
  if (!forged || !mutate) throw new Error(`There is no way to forge by ${how}.`);
  return rows.map((row) => (row === forged ? { ...row, [column]: mutate(row[column], foreign) } : row));
}
