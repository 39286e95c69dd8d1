import type { Engine } from '@parley/engine';
import type { FileStore } from '@parley/files';
import type { Clock, Logger, Secrets } from '@parley/kit';
import type * as model from '@parley/model';
import type { JobName } from '@parley/protocol';
import type { PushClient } from '@parley/push';
import type { JobQueues, SentLately } from '@parley/redis';
import type { SearchEngine } from '@parley/search';

import type { Importer } from './imports/importer.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Outbound } from './outbound/client.ts';

export interface JobDeps {
  engine: Engine;
  store: FileStore;
  /** The addresses under which organizations are served. */
  site: model.realms.Site;
  outbound: Outbound;
  /** Asks the services of outgoing-webhook bots, also inside networks that the configuration names. */
  webhooks: Outbound;
  mailer: Mailer;
  push: PushClient;
  /** What searches ask beside Postgres, and what has to be fed; null where there is nothing. */
  search: SearchEngine | null;
  /** The first signs links in mails. */
  secrets: Secrets;
  queues: JobQueues;
  /** What was sent outside lately, also if Postgres does not know it any more. */
  sentLately: SentLately;
  /** About how many messages a part of an export's archive has. */
  messagesPerExportPart: number;
  /** Reads the archives that owners import. */
  importer: Importer;
  clock: Clock;
  logger: Logger;
}

/** A job that runs at intervals. Postgres is the truth: running the job twice or late changes nothing. */
export interface RecurringJob {
  name: string;
  everySeconds: number;
  /** Returns fields for the job's log line. */
  run(deps: JobDeps): Promise<object>;
}

/**
 * A job that is enqueued when there is something to do. It gets the id of the thing that it is about and reads the
 * rest.
 */
export interface OnDemandJob {
  name: JobName;
  /** How many jobs of this name one worker runs at once. */
  concurrency: number;
  /** Returns fields for the job's log line. `realmId` is that of the thing; nodes of older versions leave it out of some jobs. */
  run(deps: JobDeps, id: number, realmId?: number): Promise<object>;
}
