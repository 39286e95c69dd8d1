import { Exchange } from './exchange.ts';
import type { RequestHead } from './request-head.ts';

/** A request that came from nowhere. */
export class TestExchange extends Exchange {
  readonly remoteAddress = undefined;
  /** The answer. */
  answered: { status: number; headers: string; body: string } | null = null;

  constructor(head: Partial<RequestHead> = {}) {
    super();
    Object.assign(this.head, head);
  }

  protected write(status: number, headers: string, body: string): void {
    this.answered = { status, headers, body };
  }
}
