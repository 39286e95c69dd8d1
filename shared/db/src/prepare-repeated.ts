import { SmallCache } from '@parley/kit';
import type { Sql, TransactionSql } from 'postgres';

/** The types that our clients have beside those of postgres.js. */
interface Types extends Record<string, unknown> {
  bigint: number;
}

/** Statements whose texts are compared: the last ones, and none that is longer. */
const remembered = 1000;
const lengthMax = 6144;
/** How often a statement is asked for, among those, until it is prepared. */
const timesMin = 5;
/** Each connection keeps what is prepared for as long as it lasts: some 31 KiB each in Postgres. */
const preparedMax = 300;

/** What has been asked for of some connections. */
export interface Repeats {
  readonly isRepeated: (text: string, parameters: readonly unknown[]) => boolean;
}

/**
 * Distinguishes statements that come again and again from those with lists in them, which are endlessly many. A statement
 * is its text and the types of its parameters, as for postgres.js.
 */
export function createRepeats(): Repeats {
  const times = new SmallCache<string, number>(remembered);
  const repeated = new Set<string>();
  return {
    isRepeated(text, parameters) {
      if (text.length > lengthMax) return false;
      const statement = parameters.map(typeName).join() + text;
      if (repeated.has(statement)) return true;
      if (repeated.size >= preparedMax) return false;
      const count = (times.get(statement) ?? 0) + 1;
      times.set(statement, count);
      if (count < timesMin) return false;
      times.delete(statement);
      repeated.add(statement);
      return true;
    },
  };
}

/** What postgres.js tells Postgres of a value's type: nothing of texts, numbers and null. */
function typeName(value: unknown): string {
  if (Array.isArray(value)) return typeName(value[0]);
  if (typeof value === 'object') return value?.constructor.name ?? '';
  return typeof value === 'boolean' || typeof value === 'bigint' ? typeof value : '';
}

/**
 * Lets a client that Drizzle uses prepare the statements that repeat. Unprepared, each is sent in two steps, and Postgres
 * parses it again. Nested transactions are left as they are. Those of `snapshots` read from one snapshot, which Drizzle would
 * ask for in a step of its own.
 *
 * It soon has one plan for each connection, as Postgres chooses: of what is looked up by a key, making a plan takes several
 * times as long as running it. What depends on how much somebody has of something asks for a plan for its values.
 */
export function prepareRepeated<Client extends Sql<Types>>(
  client: Client,
  { isRepeated }: Repeats,
): { client: Client; snapshots: Client } {
  const preparing = ({ unsafe }: Pick<Client, 'unsafe'>): Client['unsafe'] => {
    return (text, parameters = [], options = {}) =>
      // What has no parameters is sent in one step, and may be several statements.
      unsafe(text, parameters, {
        ...options,
        prepare: parameters.length > 0 && isRepeated(text, parameters),
      });
  };
  const begin = client.begin.bind(client);
  const beginning =
    (mode: string) =>
    async <Result>(work: (tx: TransactionSql<Types>) => Promise<Result>) =>
      await begin(mode, async (tx) => await work(Object.assign(tx, { unsafe: preparing(tx) })));
  const beginSnapshot = beginning('isolation level repeatable read read only');
  Object.assign(client, { unsafe: preparing(client), begin: beginning('') });
  return {
    client,
    snapshots: new Proxy(client, {
      get: (target, key): unknown => (key === 'begin' ? beginSnapshot : Reflect.get(target, key)),
    }),
  };
}
