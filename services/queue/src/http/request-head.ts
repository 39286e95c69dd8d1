import { textOfItsOwn } from '@parley/http';

/** What of a request's head this node uses, as it was received. */
export class RequestHead {
  method!: string;
  /** The path and the query, as they came. */
  url!: string;
  host: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
  forwardedFor: string | undefined;
  csrfToken: string | undefined;
  /** The id that the nearest proxy gave the request. */
  sentRequestId: string | undefined;

  constructor() {
    this.begin();
  }

  /** Makes it the head of a request of which nothing is known yet. */
  begin(): void {
    this.method = 'GET';
    this.url = '/';
    this.host = undefined;
    this.authorization = undefined;
    this.cookie = undefined;
    this.forwardedFor = undefined;
    this.csrfToken = undefined;
    this.sentRequestId = undefined;
  }

  /**
   * Lets go of what is only needed to understand the request: the texts are parts of what was received, and would keep
   * all of it in memory. The header that was verified is shared by all requests of a queue; while the queue has none, because
   * its credentials were looked up anew, the request keeps its own: it may have to show it again.
   */
  park(path: string, verifiedHeader: string | null): void {
    this.url = path;
    this.host = undefined;
    this.cookie = undefined;
    this.forwardedFor = undefined;
    if (this.authorization !== undefined)
      this.authorization = verifiedHeader ?? textOfItsOwn(this.authorization);
    if (this.sentRequestId !== undefined) this.sentRequestId = textOfItsOwn(this.sentRequestId);
  }
}
