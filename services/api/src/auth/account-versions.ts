import type { Sql } from '@parley/db';
import type { SqlServers } from '@parley/engine';

/**
 * The version of a user's row: the transaction that wrote it, and the run of the server in which that is unique. One
 * that has taken another's place, or has come from a backup, may count the same transactions again.
 */
export const versionOfUser = `users.xmin || ' ' || extract(epoch from pg_postmaster_start_time())`;

/** An account as it was read. */
export interface ReadAccount {
  id: number;
  realmId: number;
  realmName: string;
  version: string;
  keyGeneration: number;
  role: number;
}

/** Says whether accounts are still as they were read. */
export interface AccountVersions {
  /**
   * Whether the account's row is the very row that was read, and it may be used. What is asked at the same moment is
   * asked in one statement of each server, which begins after the call.
   */
  isCurrent(account: ReadAccount): Promise<boolean>;
}

interface Row {
  id: number;
  realmName: string;
  version: string;
  keyGeneration: number;
  role: number;
}

interface Asked {
  account: ReadAccount;
  readonly resolve: (isCurrent: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements that are under way at once: the next begins when one of them has ended, with all who ask until then. */
const underwayMax = 2;
const togetherMax = 200;

export function createAccountVersions(servers: SqlServers): AccountVersions {
  const byServer = new WeakMap<Sql, Versions>();
  return {
    async isCurrent(account) {
      const sql = await servers.sqlOf(account.realmId);
      const versions = byServer.get(sql) ?? new Versions(sql, await servers.areSeveral);
      byServer.set(sql, versions);
      return await versions.isCurrent(account);
    },
  };
}

class Versions implements AccountVersions {
  private readonly sql: Sql;
  private readonly isOneOfSeveral: boolean;
  private waiting: Asked[] = [];
  private underway = 0;

  constructor(sql: Sql, isOneOfSeveral: boolean) {
    this.sql = sql;
    this.isOneOfSeveral = isOneOfSeveral;
  }

  isCurrent(account: ReadAccount): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ account, resolve, reject });
      this.askNext();
    });
  }

  private askNext(): void {
    if (this.underway >= underwayMax || this.waiting.length === 0) return;
    const together = this.waiting.splice(0, togetherMax);
    this.underway += 1;
    void this.ask(together).finally(() => {
      this.underway -= 1;
      this.askNext();
    });
  }

  private async ask(together: readonly Asked[]): Promise<void> {
    try {
      const current = await this.currentOf(together.map(({ account }) => account));
      for (const { account, resolve } of together) resolve(current.get(account.id) === keyOf(account));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  /** What the rows of accounts that may be used say now, by id. */
  private async currentOf(accounts: readonly ReadAccount[]): Promise<Map<number, string>> {
    const ids = [...new Set(accounts.map(({ id }) => id))];
    const rows = await this.sql<Row[]>`
      select users.id, realms.name as "realmName", ${this.sql.unsafe(versionOfUser)} as version,
        key_generation as "keyGeneration", role
      from users join realms on realms.id = users.realm_id
      where ${this.isOneOfSeveral ? this.amongRealms(accounts, ids) : this.among(ids)} and users.is_active and realms.is_active`;
    return new Map(rows.map((row) => [row.id, keyOf(row)]));
  }

  /** No other server is asked. */
  private amongRealms(accounts: readonly ReadAccount[], ids: number[]) {
    const realmIds = [...new Set(accounts.map(({ realmId }) => realmId))];
    return this.sql`users.id = any(${ids}::int[]) and users.realm_id = any(${realmIds}::int[])`;
  }

  /** How many there are is not known before the statement runs, so one plan is as good as another and Postgres keeps it. */
  private among(ids: number[]) {
    return this.sql`users.id = any((select ${ids}::int[])::int[])`;
  }
}

const keyOf = ({ realmName, version, keyGeneration, role }: Omit<ReadAccount, 'id' | 'realmId'>): string =>
  [realmName, version, keyGeneration, role].join(' ');
