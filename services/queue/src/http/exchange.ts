import { requestIdHeader, requestIdOf } from '@parley/http';

import type { WireText } from '../core/wire-text.ts';
import type { LiveQueue } from '../queues/live-queue.ts';
import { Authentication } from './authentication.ts';
import { EventsRequest } from './events-request.ts';
import { RequestHead } from './request-head.ts';
import { WaitingPoll } from './waiting-poll.ts';

/**
 * One request, from its head to its answer: each phase of its handling has an object of its own. Thousands of requests
 * wait at once, so a connection uses the objects of a request that has waited again for the next one.
 */
export abstract class Exchange {
  /** First: what was received. */
  readonly head = new RequestHead();
  /** Who asks. */
  readonly authentication = new Authentication();
  /** What it asks for. */
  readonly request = new EventsRequest();
  /** What it waits for. */
  readonly poll = new WaitingPoll<Exchange>(this);
  /** The id of the request; empty until it is answered. */
  requestId!: string;
  startedMs!: number;
  /** It has waited, and keeps nothing of what was received since then. */
  hasWaited!: boolean;
  /** Work that waits for something else has taken it along. */
  isDeferred!: boolean;
  /** Neither answered nor given up by its client. */
  isOpen!: boolean;
  /** The answer closes the connection. */
  isLast!: boolean;

  constructor() {
    this.beginAnswer();
  }

  /** Makes it that of a request of which nothing is known yet. */
  begin(): void {
    this.head.begin();
    this.authentication.begin();
    this.request.begin();
    this.poll.begin();
    this.beginAnswer();
  }

  private beginAnswer(): void {
    this.requestId = '';
    this.startedMs = 0;
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

  /** The request begins to wait. The queue has copies of its id and of the header that was verified. */
  park({ queue, verifiedHeader }: LiveQueue): void {
    this.hasWaited = true;
    this.head.park(this.authentication.isBySession ? '/json/events' : '/api/v1/events', verifiedHeader);
    this.request.queueId = queue.id;
  }

  /**
   * Answers the request with JSON, unless it was answered already or its client is gone. `headers` are whole lines, each
   * with its CRLF, beside those that every reply has.
   */
  send(status: number, headers: string, body: WireText): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.requestId = requestIdOf(this.head.sentRequestId);
    this.write(status, `${headers}${requestIdHeader}: ${this.requestId}\r\n`, body);
  }

  protected abstract write(status: number, headers: string, body: WireText): void;
}
