import type { Engine } from '@parley/engine';
import type { FileStore } from '@parley/files';
import type { Clock, Logger } from '@parley/kit';
import type { Site } from '@parley/model';
import type { JobName } from '@parley/protocol';
import type { JobQueues } from '@parley/redis';

import type { Outbound } from '../outbound/client.ts';

export interface JobDeps {
  engine: Engine;
  store: FileStore;
  /** Where organizations are found. */
  site: Site;
  outbound: Outbound;
  queues: JobQueues;
  clock: Clock;
  logger: Logger;
}

/** A job that is run at intervals. Postgres is the truth: running it twice, or late, changes nothing. */
export interface RecurringJob {
  name: string;
  everySeconds: number;
  /** Returns what goes into the log line. */
  run(deps: JobDeps): Promise<object>;
}

/** A job that is enqueued when there is something to do, about the thing with an id: it looks the rest up. */
export interface OnDemandJob {
  name: JobName;
  /** How many of them one worker does at once. */
  concurrency: number;
  /** Returns what goes into the log line. */
  run(deps: JobDeps, id: number): Promise<object>;
}
