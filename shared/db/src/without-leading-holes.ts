type Ask = (...args: never[]) => unknown;

/**
 * postgres.js 3.4 does not reset a connection's row index when a statement fails after some of its rows came, or the
 * connection is lost then. The rows of the next statement on that connection are placed behind as many holes. The
 * returned client answers such a statement with its rows alone. Transactions need nothing: none of their statements is
 * the next one, because a rollback or a begin, which have no rows, come between and reset the index.
 */
export function withoutLeadingHoles<Client extends Ask & { unsafe: Ask }>(client: Client): Client {
  return new Proxy(client, {
    apply: (target, thisArgument, args: unknown[]) => mended(Reflect.apply(target, thisArgument, args)),
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name !== 'unsafe') return member;
      return (...args: unknown[]) => mended(Reflect.apply(target.unsafe, target, args));
    },
  });
}

/** postgres.js calls a query's `resolve` with its rows. A fragment that is no query has none. */
function mended(made: unknown): unknown {
  if (made instanceof Promise && 'resolve' in made) {
    const resolve = made.resolve as (rows: unknown) => void;
    void Object.assign(made, {
      resolve(rows: unknown) {
        if (Array.isArray(rows)) dropLeadingHoles(rows);
        resolve(rows);
      },
    });
  }
  return made;
}

function dropLeadingHoles(rows: unknown[]): void {
  if (rows.length === 0 || 0 in rows) return;
  // Unlike findIndex, this visits no holes.
  const first = Number(Object.keys(rows)[0]);
  rows.copyWithin(0, first);
  rows.length -= first;
}
