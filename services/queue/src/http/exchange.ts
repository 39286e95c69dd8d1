import { type PresentedSession, requestIdHeader, requestIdOf, textOfItsOwn } from '@parley/http';

import type { Poll } from '../core/poll.ts';
import type { Queue } from '../core/queue.ts';
import type { WireText } from '../core/wire-text.ts';
import type { LiveQueue } from '../queues/live-queue.ts';
import type { QueueCredentials } from '../queues/queue-credentials.ts';
import type { EventsParameters } from './events-parameters.ts';

/**
 * One request, the state of its handling, and the way to answer it. Thousands of requests wait at once, so everything is
 * kept in this one object, and a connection uses the object of a request that has waited again for the next one.
 */
export abstract class Exchange implements Poll<Exchange> {
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
  /** The id of the request; empty until it is answered. */
  requestId!: string;
  /** The session that the request carries, at the addresses that take one. */
  session!: PresentedSession | null;
  /** Whether it came to such an address. */
  isBySession!: boolean;
  queueId!: string;
  /** The queue, once it is found. */
  live!: LiveQueue | null;
  /** The realm that the request's host names. */
  realm!: string | null;
  /** The parameters as they came; null once they are parsed into the next three fields. */
  parameters!: EventsParameters | null;
  lastEventId!: number;
  dontBlock!: boolean;
  /** Names of parameters that this endpoint does not know. */
  ignored!: readonly string[];
  startedMs!: number;
  /** When it is answered with a heartbeat at the latest. */
  dueMs!: number;
  /** The credentials that the request was verified to carry. */
  authenticatedAs!: QueueCredentials | null;
  /** It was counted against the rate limit: once, however often it is handled. */
  isCounted!: boolean;
  /** Its queue and what it waits for; set before it waits. */
  queue!: Queue;
  log!: Poll<Exchange>['log'];
  slot!: Poll<Exchange>['slot'];
  testedKey!: number;
  batch!: Poll<Exchange>['batch'];
  readonly reply = this;
  /** It has waited, and keeps nothing of what was received since then. */
  hasWaited!: boolean;
  /** Work that waits for something else has taken it along. */
  isDeferred!: boolean;
  /** Neither answered nor given up by its client. */
  isOpen!: boolean;
  /** The answer closes the connection. */
  isLast!: boolean;

  constructor() {
    this.begin();
  }

  /** Makes it that of a request of which nothing is known yet. */
  begin(): void {
    this.method = 'GET';
    this.url = '/';
    this.host = undefined;
    this.authorization = undefined;
    this.cookie = undefined;
    this.forwardedFor = undefined;
    this.csrfToken = undefined;
    this.sentRequestId = undefined;
    this.requestId = '';
    this.session = null;
    this.isBySession = false;
    this.queueId = '';
    this.live = null;
    this.realm = null;
    this.parameters = null;
    this.lastEventId = -1;
    this.dontBlock = false;
    this.ignored = none;
    this.startedMs = 0;
    this.dueMs = 0;
    this.authenticatedAs = null;
    this.isCounted = false;
    this.slot = null;
    this.testedKey = 0;
    this.batch = null;
    this.hasWaited = false;
    this.isDeferred = false;
    this.isOpen = true;
    this.isLast = false;
  }

  /** Nobody knows it any more, once it is answered. */
  get mayBeginAgain(): boolean {
    return this.hasWaited && !this.isDeferred;
  }

  abstract get remoteAddress(): string | undefined;

  /**
   * The request begins to wait. What is only needed to understand it is let go: the texts are parts of what was
   * received, and would keep all of it in memory. The queue has copies of its id and of the header that was verified.
   */
  park({ queue, verifiedHeader }: LiveQueue): void {
    this.hasWaited = true;
    this.url = this.isBySession ? '/json/events' : '/api/v1/events';
    this.queueId = queue.id;
    this.host = undefined;
    this.cookie = undefined;
    this.forwardedFor = undefined;
    this.authorization = verifiedHeader ?? undefined;
    if (this.sentRequestId !== undefined) this.sentRequestId = textOfItsOwn(this.sentRequestId);
  }

  /**
   * Answers the request with JSON, unless it was answered already or its client is gone. `headers` are whole lines, each
   * with its CRLF, beside those that every reply has.
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

/** What of a request's head this node uses. */
export type RequestHead = Pick<
  Exchange,
  'method' | 'url' | 'host' | 'authorization' | 'cookie' | 'forwardedFor' | 'csrfToken' | 'sentRequestId'
>;
