import { type PresentedSession, requestIdHeader, requestIdOf, textOfItsOwn } from '@parley/http';

import type { Poll } from '../core/poll.ts';
import type { WireText } from '../core/wire-text.ts';
import type { LiveQueue } from '../queues/live-queue.ts';
import type { QueueCredentials } from '../queues/queue-credentials.ts';
import type { EventsParameters } from './events-parameters.ts';

/** What of a request's head this node uses. */
export interface RequestHead {
  readonly method: string;
  /** The path and the query, as they came. */
  readonly url: string;
  readonly host: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly csrfToken: string | undefined;
  /** The id that the nearest proxy gave the request. */
  readonly sentRequestId: string | undefined;
}

/**
 * One request, the state of its handling, and the way to answer it. Thousands of requests wait at once, so everything
 * is kept in this one object.
 */
export abstract class Exchange {
  readonly method: string;
  url: string;
  host: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
  forwardedFor: string | undefined;
  csrfToken: string | undefined;
  sentRequestId: string | undefined;
  /** The id of the request; empty until it is answered. */
  requestId = '';
  /** The session that the request carries, at the addresses that take one. */
  session: PresentedSession | null = null;
  /** Whether it came to such an address. */
  isBySession = false;
  queueId = '';
  /** The queue, once it is found. */
  live: LiveQueue | null = null;
  /** The realm that the request's host names. */
  realm: string | null = null;
  /** The parameters as they came; null once they are parsed into the next three fields. */
  parameters: EventsParameters | null = null;
  lastEventId = -1;
  dontBlock = false;
  /** Names of parameters that this endpoint does not know. */
  ignored: readonly string[] = none;
  startedMs = 0;
  /** When it is answered with a heartbeat at the latest. */
  dueMs = 0;
  /** The credentials that the request was verified to carry. */
  authenticatedAs: QueueCredentials | null = null;
  /** It was counted against the rate limit: once, however often it is handled. */
  isCounted = false;
  /** Set while it waits. */
  poll: Poll<Exchange> | null = null;
  /** Neither answered nor given up by its client. */
  isOpen = true;
  /** The answer closes the connection. */
  isLast = false;

  constructor({
    method,
    url,
    host,
    authorization,
    cookie,
    forwardedFor,
    csrfToken,
    sentRequestId,
  }: RequestHead) {
    this.method = method;
    this.url = url;
    this.host = host;
    this.authorization = authorization;
    this.cookie = cookie;
    this.forwardedFor = forwardedFor;
    this.csrfToken = csrfToken;
    this.sentRequestId = sentRequestId;
  }

  abstract get remoteAddress(): string | undefined;

  /**
   * The request begins to wait. What is only needed to understand it is let go: the texts are parts of what was
   * received, and would keep all of it in memory. The queue has copies of its id and of the header that was verified.
   */
  park({ queue, verifiedHeader }: LiveQueue): void {
    this.url = this.isBySession ? '/json/events' : '/api/v1/events';
    this.queueId = queue.id;
    this.host = undefined;
    this.cookie = undefined;
    this.forwardedFor = undefined;
    this.authorization = verifiedHeader ?? undefined;
    if (this.sentRequestId !== undefined) this.sentRequestId = textOfItsOwn(this.sentRequestId);
  }

  /**
   * Answers the request, unless it was answered already or its client is gone. `headers` are whole lines, each with its
   * CRLF; how long the body is and what becomes of the connection are not among them.
   */
  send(status: number, headers: string, body: WireText): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.requestId = requestIdOf(this.sentRequestId);
    this.write(status, `${headers}${requestIdHeader}: ${this.requestId}\r\n`, body);
  }

  protected abstract write(status: number, headers: string, body: WireText): void;
}

const none: readonly string[] = [];
