import type { LiveQueue } from '../queues/live-queue.ts';
import type { EventsParameters } from './events-parameters.ts';

/** What a request for events asks for. */
export class EventsRequest {
  queueId!: string;
  /** The queue, once it is found. */
  live!: LiveQueue | null;
  /** The parameters as they came; null once they are parsed. */
  parameters!: EventsParameters | null;
  dontBlock!: boolean;
  /** Names of parameters that this endpoint does not know. */
  ignored!: readonly string[];

  constructor() {
    this.begin();
  }

  begin(): void {
    this.queueId = '';
    this.live = null;
    this.parameters = null;
    this.dontBlock = false;
    this.ignored = none;
  }
}

const none: readonly string[] = [];
