import { Exchange, type RequestHead } from './exchange.ts';

/** A request that came from nowhere. */
export class TestExchange extends Exchange {
  readonly remoteAddress = undefined;
  /** The answer. */
  answered: { status: number; headers: string; body: string } | null = null;

  constructor(head: Partial<RequestHead> = {}) {
    super();
    Object.assign(this, head);
  }

  protected write(status: number, headers: string, body: string): void {
    this.answered = { status, headers, body };
  }
}
