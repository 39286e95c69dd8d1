import type { AfterCommit, messages } from '@parley/actions';
import type { Tx } from '@parley/db';
import type { Engine, Performed, SentMessage, WithoutLog } from '@parley/engine';
import type { FileStore } from '@parley/files';
import type { Clock } from '@parley/kit';
import type { Realm } from '@parley/model';
import type { ActionResult, QueueRecord } from '@parley/protocol';

import type { ReceivedFile } from './files/receive.ts';
import type { LoginLimiter } from './rate-limits.ts';
import type { RegistrationLimiter } from './register/limiter.ts';

/** What every handler is given. A handler knows no HTTP, no SQL and no Redis. */
export interface RequestContext<Params, Who> {
  /** Who calls; null where nobody is asked for credentials. */
  actor: Who;
  realm: Realm;
  params: Params;
  /** Name of the calling program: the `client` parameter, or the product of its User-Agent. */
  client: string;
  clock: Clock;
  isDevelopment: boolean;
  /** Reads in one snapshot: whatever is read together was true together. */
  snapshot: Engine['snapshot'];
  /** Runs an action in a transaction, and all that follows from it. See Engine.perform. */
  perform<Result extends ActionResult & AfterCommit>(
    action: (tx: Tx) => Promise<Result>,
  ): Promise<Performed<Result>>;
  /** Runs statements that no log entry tells of, each standing alone. */
  writeWithoutLog<Result extends WithoutLog>(write: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Sends a message as the actor. */
  sendMessage(recipient: messages.Recipient, text: messages.MessageText): Promise<SentMessage>;
  auth: AuthContext;
  files: FilesContext;
  queues: QueuesContext;
}

interface AuthContext {
  apiKeyOf(user: { id: number; keyGeneration: number }): string;
  logins: LoginLimiter;
}

interface FilesContext {
  /** Files of the body, where the endpoint takes any: it may be sent none, one, or more than one. */
  received: ReceivedFile[];
  store: FileStore;
  /** A path that opens an upload to whoever has it, for a minute. */
  temporaryPath(pathId: string): string;
}

interface QueuesContext {
  save(record: QueueRecord): Promise<void>;
  limitRegistrations: RegistrationLimiter;
  /** Number of the realm's newest ephemeral event. */
  newestEphemeral(): Promise<number>;
}
