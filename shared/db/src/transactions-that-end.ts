import { setImmediate as allElse } from 'node:timers/promises';

type Ask = (...args: never[]) => unknown;

/**
 * postgres.js 3.4 goes on with a transaction whose connection is lost. Its next statement, at least a rollback, is given
 * to the connection as it is by then: without a socket, which ends the process, or opened anew for somebody else, in
 * whose transaction the statement would take part. The returned client keeps what comes of such a transaction away.
 */
export function withTransactionsThatEnd<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name !== 'begin' || typeof member !== 'function') return member;
      return (...args: unknown[]) => begin((given) => Reflect.apply(member, target, given), args);
    },
  });
}

/** Begins a transaction. The last argument does its work. */
function begin(beginAs: (args: unknown[]) => Promise<unknown>, args: unknown[]): Promise<unknown> {
  // Safe: postgres.js is called so.
  const work = args.at(-1) as (sql: object) => unknown;
  let isOver = false;
  const end = () => void (isOver = true);

  async function run(sql: object): Promise<unknown> {
    try {
      const made = work(guarded(sql, () => isOver));
      const result: unknown = await (Array.isArray(made) ? Promise.all(made) : made);
      if (!isOver) return result;
    } catch (error) {
      // Whether the connection is lost is known when all has run that its loss has called.
      await allElse();
      if (!isOver) throw error;
    }
    // Whoever began the transaction has been told; postgres.js would commit it, or roll it back.
    return await new Promise(() => undefined);
  }

  const begun = beginAs([...args.slice(0, -1), run]);
  begun.then(end, end);
  return begun;
}

/** A transaction that takes no statement when it is over. */
function guarded(sql: object, isOver: () => boolean): object {
  const assertIsOn = () => {
    if (!isOver()) return;
    const message = 'The connection of this transaction was lost.';
    throw Object.assign(new Error(message), { code: 'CONNECTION_CLOSED' });
  };
  return new Proxy(sql as Ask, {
    apply(target, thisArgument, args: never[]) {
      assertIsOn();
      return Reflect.apply(target, thisArgument, args);
    },
    get(target, name) {
      if (name === 'unsafe') assertIsOn();
      return Reflect.get(target, name) as unknown;
    },
  });
}
