import type { Database } from '@parley/db';
import type { FileStore } from '@parley/files';
import type { Clock, Logger } from '@parley/kit';
import type { Publisher, Sql } from '@parley/log';

export interface JobNeeds {
  sql: Sql;
  db: Database;
  publisher: Publisher;
  store: FileStore;
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
