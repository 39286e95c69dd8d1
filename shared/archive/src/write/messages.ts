import { exportedTables } from '../tables/index.ts';
import { type Scope, bigintArray } from '../tables/table.ts';
import type { PartWriter, Row } from './part.ts';
import { type Snapshot, readRows } from './rows.ts';

/** The most messages that are added at once by their ids, and the most characters of the messages of a part. */
const idsMax = 10_000;
const charactersMax = 32 * 1024 * 1024;
/** How many ids are looked through at once. */
export const idsPerRead = 50_000;

const messageTable = exportedTables.find(({ name }) => name === 'messages');
const tablesOfMessages = exportedTables.filter(({ ofMessages }) => ofMessages);

/** Adds the next messages after an id, about `max` of them, with all that belongs to them. Answers how far it came. */
export async function addMessages(
  tx: Snapshot,
  part: PartWriter,
  scope: Scope,
  { after, upTo, max }: { after: number; upTo: number; max: number },
): Promise<{ messages: number; last: number }> {
  const ids: number[] = [];
  let characters = 0;
  let isFull = false;
  async function* read(): AsyncGenerator<Row[]> {
    const range = `t.id > ${Number(after)} and t.id <= ${Number(upTo)}`;
    for await (const rows of tableRows(tx, scope, range)) {
      for (const { id, row } of rows) {
        if (id !== null) ids.push(id);
        characters += row.length;
      }
      yield rows;
      isFull = ids.length >= max || characters >= charactersMax;
      if (isFull) return;
    }
  }
  const { rows } = await part.addRows('messages', read());
  await addBelongings(tx, part, scope, ids);
  return { messages: rows, last: isFull ? (ids.at(-1) ?? upTo) : upTo };
}

/** Adds messages by their ids, with all that belongs to them. */
export async function addMessagesById(
  tx: Snapshot,
  part: PartWriter,
  scope: Scope,
  ids: readonly number[],
): Promise<void> {
  for (let first = 0; first < ids.length; first += idsMax) {
    const some = ids.slice(first, first + idsMax);
    await part.addRows('messages', tableRows(tx, scope, `t.id = any(${bigintArray(some)})`));
    await addBelongings(tx, part, scope, some);
  }
}

function tableRows(tx: Snapshot, scope: Scope, more: string): AsyncIterable<Row[]> {
  if (!messageTable) throw new Error('There is no table of messages.');
  return readRows(tx, messageTable, scope, more);
}

async function addBelongings(
  tx: Snapshot,
  part: PartWriter,
  scope: Scope,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  // Conditions on messages hold for what belongs to them, so their own are not asked for again.
  const ofThese = `t.message_id in (
    select id from messages m where m.realm_id = ${scope.realmId} and m.id = any(${bigintArray(ids)}))`;
  for (const table of tablesOfMessages) {
    await part.addRows(table.name, readRows(tx, table, scope, ofThese));
  }
}
