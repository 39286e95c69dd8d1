import type { Database } from '@parley/db';
import type { FileStore } from '@parley/files';
import type { Clock, Logger } from '@parley/kit';
import type { Publisher, Sql } from '@parley/log';
import type { Site } from '@parley/model';
import type { JobName, Jobs } from '@parley/redis';

import type { Outbound } from '../outbound/client.ts';

export interface JobNeeds {
  sql: Sql;
  db: Database;
  publisher: Publisher;
  store: FileStore;
  /** Where organizations are found. */
  site: Site;
  outbound: Outbound;
  jobs: Jobs;
  clock: Clock;
  logger: Logger;
}

/** Work that recurs. Postgres is the truth: running it twice, or late, changes nothing. */
export interface RecurringJob {
  name: string;
  everySeconds: number;
  /** Returns what goes into the log line. */
  run(needs: JobNeeds): Promise<object>;
}

/** Work that is asked for, about the thing with an id: it looks the rest up. Running it twice changes nothing. */
export interface AskedJob {
  name: JobName;
  /** How many of them one worker does at once. */
  atOnce: number;
  /** Returns what goes into the log line. */
  run(needs: JobNeeds, id: number): Promise<object>;
}
