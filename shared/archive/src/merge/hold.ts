import { randomUUID } from 'node:crypto';

import type { Sql } from '@parley/db';
import { pause } from '@parley/kit';
import type { Realm } from '@parley/model';

import { refused } from '../read/refused.ts';

/** Whoever holds an organization says so this often; who has not for so long has died. */
const renewMs = 3_000;
const heldMs = 15_000;
const lookMs = 500;

const running = ({ name }: Realm) => refused('import_running', { name });

/** The right to be the one process that reads an archive into an organization. It ends when it is disposed of. */
export class Hold implements AsyncDisposable {
  readonly #sql: Sql;
  readonly #realm: Realm;
  readonly #holder: string;
  readonly #renewal: NodeJS.Timeout;
  #isLost = false;

  private constructor(sql: Sql, realm: Realm, holder: string) {
    this.#sql = sql;
    this.#realm = realm;
    this.#holder = holder;
    this.#renewal = setInterval(() => void this.#renew().catch(() => undefined), renewMs);
  }

  /**
   * Takes the right. It waits for that of a process that has died to end, which takes some seconds.
   *
   * @throws ArchiveRefused if another process has it, and lives
   */
  static async take(sql: Sql, realm: Realm): Promise<Hold> {
    const holder = randomUUID();
    let before: number | undefined;
    while (!(await tryTake(sql, realm, holder))) {
      const until = await findHeldUntil(sql, realm);
      if (until !== undefined && before !== undefined && until !== before) throw running(realm);
      before = until ?? before;
      await pause(lookMs);
    }
    return new Hold(sql, realm, holder);
  }

  /** @throws ArchiveRefused if another process has taken over */
  assertHeld(): void {
    if (this.#isLost) throw running(this.#realm);
  }

  async #renew(): Promise<void> {
    if (!(await tryTake(this.#sql, this.#realm, this.#holder))) this.#isLost = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#renewal);
    await this.#sql`
      delete from import_holds where realm_id = ${this.#realm.id} and holder = ${this.#holder}`;
  }
}

/**
 * Takes or renews a right; false if another process has it. Times are those of the database: machines need not agree. That
 * one is over shows by that which begins: a divided database asks for no time where two rows conflict.
 */
async function tryTake(sql: Sql, realm: Realm, holder: string): Promise<boolean> {
  const rows = await sql`
    insert into import_holds (realm_id, holder, held_until)
    values (${realm.id}, ${holder}, now() + ${heldMs}::float8 * interval '1 ms')
    on conflict (realm_id) do update set holder = excluded.holder, held_until = excluded.held_until
      where excluded.held_until - import_holds.held_until > ${heldMs}::float8 * interval '1 ms'
        or import_holds.holder = excluded.holder
    returning realm_id`;
  return rows.length > 0;
}

async function findHeldUntil(sql: Sql, realm: Realm): Promise<number | undefined> {
  const [row] = await sql<{ until: Date }[]>`
    select held_until as until from import_holds where realm_id = ${realm.id}`;
  return row?.until.getTime();
}
