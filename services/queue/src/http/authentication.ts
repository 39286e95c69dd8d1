import type { PresentedSession } from '@parley/http';

import type { QueueCredentials } from '../queues/queue-credentials.ts';

/** Who asks: what a request presents, and what it was verified to be. */
export class Authentication {
  /** The realm that the request's host names. */
  realm!: string | null;
  /** Whether it came to an address that takes sessions. */
  isBySession!: boolean;
  /** The session that it carries, at such an address. */
  session!: PresentedSession | null;
  /** The credentials that it was verified to carry. */
  verified!: QueueCredentials | null;
  /** It was counted against the rate limit: once, however often it is handled. */
  isCounted!: boolean;

  constructor() {
    this.begin();
  }

  begin(): void {
    this.realm = null;
    this.isBySession = false;
    this.session = null;
    this.verified = null;
    this.isCounted = false;
  }
}
