import { Exchange, type RequestHead } from './exchange.ts';

const plain: RequestHead = {
  method: 'GET',
  url: '/',
  host: undefined,
  authorization: undefined,
  cookie: undefined,
  forwardedFor: undefined,
  sentRequestId: undefined,
  csrfToken: undefined,
};

/** A request that came from nowhere. */
export class TestExchange extends Exchange {
  readonly remoteAddress = undefined;
  /** The answer. */
  answered: { status: number; headers: string; body: string } | null = null;

  constructor(head: Partial<RequestHead> = {}) {
    super({ ...plain, ...head });
  }

  protected write(status: number, headers: string, body: string): void {
    this.answered = { status, headers, body };
  }
}
