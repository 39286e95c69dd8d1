import type * as actions from '@parley/actions';
import type { Tx } from '@parley/db';
import type { FileStore } from '@parley/files';
import type { Clock, Logger } from '@parley/kit';
import type { Actor, Realm } from '@parley/model';
import type { ActionResult, Ephemeral, QueueRecord } from '@parley/protocol';
import type { Jobs } from '@parley/redis';
import type { z } from 'zod';

import type { Admission } from './admission.ts';
import type { ReceivedFile, UploadLimit } from './files/receive.ts';
import type { Gate } from './gates.ts';
import type { Parameters, ParametersOf } from './parameters.ts';
import type { SentMessage } from './plan-cache.ts';

export { form, id } from './parameters.ts';

/** What every handler is given. A handler knows no HTTP, no SQL and no Redis. */
export interface Call<Params, Who> {
  actor: Who;
  realm: Realm;
  params: Params;
  /** Name of the calling program: the `client` parameter, or the product of its User-Agent. */
  client: string;
  clock: Clock;
  logger: Logger;
  isDevelopment: boolean;
  /** Reads in one snapshot: whatever is read together was true together. */
  snapshot<Result>(read: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs an action in a transaction and appends its events as the last step. */
  commit<Result extends ActionResult>(action: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Writes what no log keeps: each statement stands alone. */
  aside<Result>(write: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Tells users what no log keeps. Best effort. */
  tell(ephemeral: Ephemeral): Promise<void>;
  /** Number of the realm's newest ephemeral event. */
  newestEphemeral(): Promise<number>;
  send(recipient: actions.messages.Recipient, text: actions.messages.MessageText): Promise<SentMessage>;
  /** Asks workers to do what is marked as due. Best effort: without it they find out by themselves, later. */
  ask: Jobs['ask'];
  apiKeyOf(user: { id: number; keyGeneration: number }): string;
  logins: LoginLimit;
  saveQueue(record: QueueRecord): Promise<void>;
  /** Files of the body, where the endpoint takes any: it may be sent none, one, or more than one. */
  received: ReceivedFile[];
  store: FileStore;
  /** A path that opens an upload to whoever has it, for a minute. */
  temporaryPath(pathId: string): string;
  /** Waits for its turn among the registrations of this node. */
  admit: Admission;
}

/** Bounds guessing at passwords. */
export interface LoginLimit {
  /** Counts an attempt; refuses with RATE_LIMIT_HIT after too many. */
  attempt(username: string): Promise<void>;
  /** A success clears the count. */
  forget(username: string): Promise<void>;
}

/**
 * Who may call. `cached`: credentials may be as old as the realm's rules, for the one endpoint that has the log
 * check the rules again. `spectator`: also the world, where the organization is open to it. `none`: nobody is asked for
 * credentials.
 */
export type Auth = 'user' | 'cached' | 'spectator' | 'none';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  /** Below /api/v1. `:name` is a path parameter, declared in `params` like any other. */
  path: string;
  /** Feature level that introduced it, where the contract names one. */
  since?: number;
  auth: Auth;
  /** Who alone may call; everyone with credentials when empty. */
  only: readonly Gate[];
  /** Incoming-webhook bots may call it, which may call little. */
  forWebhookBots: boolean;
  developmentOnly: boolean;
  /** How large a file it takes; null takes none. */
  upload: UploadLimit | null;
  params: Parameters;
  aliases: Record<string, string>;
  returns: z.ZodRawShape;
  handle(call: Call<never, never>): Promise<object>;
}

interface Declaration<Shape extends Parameters, Kind extends Auth> {
  method: Endpoint['method'];
  path: string;
  since?: number;
  auth?: Kind;
  only?: readonly Gate[];
  forWebhookBots?: boolean;
  developmentOnly?: boolean;
  upload?: UploadLimit;
  params: Shape;
  aliases?: Record<string, string>;
  returns: z.ZodRawShape;
  handle(call: Call<ParametersOf<Shape>, Kind extends 'none' ? null : Actor>): Promise<object>;
}

/** Declares an endpoint of the contract: a value, so that it can be listed, mounted, documented and tested by walking. */
export function endpoint<Shape extends Parameters, const Kind extends Auth = 'user'>(
  declared: Declaration<Shape, Kind>,
): Endpoint {
  return {
    auth: 'user',
    only: [],
    forWebhookBots: false,
    developmentOnly: false,
    upload: null,
    aliases: {},
    ...declared,
  };
}
