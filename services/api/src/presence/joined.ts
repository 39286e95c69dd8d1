import type { Tx } from '@parley/db';

/** Who reads: in a transaction that is under way, or by itself. */
export interface Reader {
  tx: Tx;
  /** Whether it has a connection already. It must not wait for anybody who may be waiting for one. */
  isConnected: boolean;
}

/** Work that several do once, if they come while it is under way. */
export class Joined<Result> {
  private readonly working = new Map<string, Promise<Result>>();

  /**
   * Returns what `work` does, or has done for somebody who had begun, if that suits. Those who have a connection share with
   * each other, and so do the others.
   */
  async share(
    key: string,
    { isConnected }: Reader,
    work: () => Promise<Result>,
    suits: (result: Result) => boolean | Promise<boolean> = () => true,
  ): Promise<Result> {
    const name = `${key} ${isConnected}`;
    const begun = this.working.get(name);
    if (begun) {
      // Whoever had begun may have failed for reasons of their own.
      const result = await begun.catch(() => undefined);
      if (result !== undefined && (await suits(result))) return result;
    }
    const working = work();
    this.working.set(name, working);
    try {
      return await working;
    } finally {
      if (this.working.get(name) === working) this.working.delete(name);
    }
  }
}
