import { refused } from '../../read/refused.ts';
import { rowSchemas } from '../../schemas/index.ts';
import { exportedTables } from '../../tables/index.ts';
import type { PartWriter, Row } from '../../write/part.ts';
import { because } from '../reasons.ts';
import type { Kind, Tally } from '../report.ts';

/** Tables of which no row can be left out: too much refers to them. */
const essential: ReadonlySet<string> = new Set([
  'realms',
  'users',
  'user_groups',
  'conversations',
  'channels',
  'topics',
  'conversation_members',
  'conversation_heads',
]);
/** Tables of which rows are counted by whoever makes them. */
const countedElsewhere: ReadonlySet<string> = new Set([...essential, 'message_moves', 'topics']);
const kindOf: Readonly<Record<string, Kind>> = { realm_emoji: 'emoji', attachments: 'files' };
const rowsPerBatch = 500;

/** Rows of a table as they are made. */
export type Rows = Iterable<object> | AsyncIterable<object>;

/** Writes rows of tables that the importer will not refuse. Others are left out and counted. */
export class TableWriter {
  readonly #tally: Tally;
  readonly #kept = new Map<string, Set<number>>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Returns whether a row that others refer to was written. */
  has(table: string, id: number): boolean {
    return this.#kept.get(table)?.has(id) === true;
  }

  /** Writes tables in the order in which an archive has them. */
  async write(part: PartWriter, tables: Readonly<Record<string, () => Rows>>): Promise<void> {
    for (const { name, draws, drawnIn = 'id' } of exportedTables) {
      const rows = tables[name]?.();
      if (rows) await part.addRows(name, this.#checked(name, rows, draws === undefined ? null : drawnIn));
    }
  }

  async *#checked(table: string, rows: Rows, drawnIn: string | null): AsyncGenerator<Row[]> {
    const kept = new Set<number>();
    if (!essential.has(table)) this.#kept.set(table, kept);
    const keys = new Set<string>();
    let batch: Row[] = [];
    for await (const row of rows) {
      if (!this.#isKept(table, row, keys)) continue;
      const id = drawnIn === null ? null : Number(Reflect.get(row, drawnIn));
      if (id !== null && !essential.has(table)) kept.add(id);
      batch.push({ id, row: JSON.stringify(row) });
      if (batch.length < rowsPerBatch) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  #isKept(table: string, row: object, keys: Set<string>): boolean {
    const kind = kindOf[table] ?? 'others';
    const problem = rowSchemas[table]?.safeParse(row).error?.issues[0];
    if (problem) {
      const column = String(problem.path[0] ?? 'columns');
      if (essential.has(table)) {
        throw refused('value_refused', { table, column });
      }
      this.#tally.leaveOut(kind, because('row_value', { table, column }));
      return false;
    }
    const key = keyOf(table, row);
    if (key !== undefined && keys.has(key)) {
      this.#tally.leaveOut(kind, because('row_twice', { table }));
      return false;
    }
    if (key !== undefined) keys.add(key);
    if (!countedElsewhere.has(table)) this.#tally.keep(kind);
    return true;
  }
}

/** The columns in which no two rows of a table may have the same, whatever the case of letters. */
const uniqueColumns: Readonly<Record<string, readonly string[]>> = {
  custom_profile_fields: ['name'],
  custom_profile_values: ['user_id', 'field_id'],
  realm_domains: ['domain'],
  user_statuses: ['user_id'],
  alert_words: ['user_id', 'word'],
  muted_users: ['user_id', 'muted_user_id'],
  user_topics: ['user_id', 'topic_id'],
  bot_storage: ['user_id', 'key'],
  bot_services: ['bot_id'],
  navigation_views: ['user_id', 'fragment'],
  onboarding_steps_seen: ['user_id', 'name'],
  attachments: ['path_id'],
  scheduled_message_attachments: ['scheduled_message_id', 'attachment_id'],
};

const keyOf = (table: string, row: object): string | undefined =>
  uniqueColumns[table]?.map((column) => String(Reflect.get(row, column)).toLowerCase()).join('\n');
