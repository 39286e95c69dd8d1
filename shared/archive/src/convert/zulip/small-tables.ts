import type { JsonTables } from '../json-tables.ts';
import type { Json } from '../json.ts';
import type { RowSpool } from '../row-spool.ts';
import { shorten } from '../texts.ts';
import type { Directory } from './directory.ts';
import type { Places } from './places.ts';
import { firstTime, idOf, textOf, timeOf } from './values.ts';

const clientMax = 30;

/** Returns what messages were sent with, by its id. */
export async function clientsOf(tables: JsonTables): Promise<ReadonlyMap<number, string>> {
  const clients = new Map<number, string>();
  for await (const { rows } of tables.rows('zerver_client')) {
    for (const row of rows) clients.set(idOf(row, 'id') ?? 0, shorten(textOf(row, 'name'), clientMax));
  }
  return clients;
}

/** Yields what becomes of the rows of a table. */
export async function* mapped(
  tables: JsonTables,
  table: string,
  map: (row: Json) => object | null,
): AsyncGenerator<object> {
  for await (const { rows } of tables.rows(table)) {
    for (const row of rows) {
      const own = map(row);
      if (own) yield own;
    }
  }
}

/** Yields the topics that were found. */
export async function* topicRows(spool: RowSpool): AsyncGenerator<object> {
  for await (const rows of spool.read()) for (const { row } of rows) yield JSON.parse(row) as object;
}

/** Returns how topics are shown to people. Topics without messages are made. */
export async function userTopicRows(
  tables: JsonTables,
  { accounts, channels }: Directory,
  places: Places,
): Promise<object[]> {
  const found: object[] = [];
  for await (const { rows } of tables.rows('zerver_usertopic')) {
    for (const row of rows) {
      const [user, channel] = [idOf(row, 'user_profile'), idOf(row, 'stream')];
      if (user === undefined || channel === undefined || !accounts.has(user) || !channels.has(channel))
        continue;
      found.push({
        user_id: user,
        topic_id: await places.topic(channel, textOf(row, 'topic_name')),
        policy: row['visibility_policy'] ?? 1,
        updated_at: timeOf(row, 'last_updated') ?? firstTime,
      });
    }
  }
  return found;
}
