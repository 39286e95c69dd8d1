import type { Sql } from '@parley/db';
import { type Head, readHeads } from '@parley/log';

type Heads = Map<number, Head>;

/** Reads the heads of logs from the primary: by one statement for all that are asked for at once. */
export class NewestHeads {
  private readonly sql: Sql;
  private asking: { realmIds: Set<number>; heads: Promise<Heads> } | undefined;

  constructor(sql: Sql) {
    this.sql = sql;
  }

  /** Returns the head that a realm has now, or had since this was called. */
  async of(realmId: number): Promise<Head | undefined> {
    this.asking ??= this.ask();
    this.asking.realmIds.add(realmId);
    return (await this.asking.heads).get(realmId);
  }

  private ask(): { realmIds: Set<number>; heads: Promise<Heads> } {
    const realmIds = new Set<number>();
    const read = async () => {
      // Whoever asks in the same moment asks with it; whoever asks after it was sent may need a newer answer.
      await Promise.resolve();
      this.asking = undefined;
      const heads = await readHeads(this.sql, [...realmIds]);
      return new Map(heads.map((head) => [head.realmId, head]));
    };
    return { realmIds, heads: read() };
  }
}
