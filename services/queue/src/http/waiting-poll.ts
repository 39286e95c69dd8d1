import type { Poll } from '../core/poll.ts';
import type { Queue } from '../core/queue.ts';

/** The poll of a request that may wait. */
export class WaitingPoll<Reply> implements Poll<Reply> {
  readonly reply: Reply;
  /** Its queue and the log that it waits for; set before it waits. */
  queue!: Queue;
  log!: Poll<Reply>['log'];
  lastEventId!: number;
  dueMs!: number;
  slot!: Poll<Reply>['slot'];
  testedKey!: number;
  batch!: Poll<Reply>['batch'];

  constructor(reply: Reply) {
    this.reply = reply;
    this.begin();
  }

  begin(): void {
    this.lastEventId = -1;
    this.dueMs = 0;
    this.slot = null;
    this.testedKey = 0;
    this.batch = null;
  }
}
