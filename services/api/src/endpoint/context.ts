import type { Action, AfterCommit, attachments, exports, messages } from '@parley/actions';
import type { Tx, UserRow } from '@parley/db';
import type { Engine, Performed, SentMessage, WithoutLog } from '@parley/engine';
import type { FileStore } from '@parley/files';
import type { Clock } from '@parley/kit';
import type { Realm } from '@parley/model';
import type { ActionResult, IdForm, QueueRecord } from '@parley/protocol';
import type { PushClient } from '@parley/push';
import type { SearchEngine } from '@parley/search';

import type { EmailChangeLimiter, PasswordGuesses } from '../auth/account-limits.ts';
import type { Identified } from '../auth/identified.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { ReceivedFile } from '../http/receive.ts';
import type { RawDelivery } from '../http/request.ts';
import type { SharedPresences } from '../presence/presences.ts';
import type { RegistrationLimiter, SharedStates } from './registrations.ts';

/** A request as its endpoint's handler sees it. Handlers know no HTTP, no SQL and no Redis. */
export interface RequestContext<Params, Caller> {
  /** The account that calls. It is null where the endpoint asks nobody for credentials. */
  actor: Caller;
  /** The session of the browser that calls; null for a program. */
  sessionHash: string | null;
  realm: Realm;
  params: Params;
  /** The name of the calling program, from the `client` parameter or else from its User-Agent. */
  client: string;
  /** The body, for an endpoint that takes it as it is; null for any other. */
  delivery: RawDelivery | null;
  clock: Clock;
  isDevelopment: boolean;
  /** Reads in one snapshot, so that whatever is read together was true together. */
  snapshot: Engine['snapshot'];
  /** Runs an action in a transaction and, after its commit, everything that follows from it. See Engine.perform. */
  readonly perform: <Input, Result extends ActionResult & AfterCommit>(
    action: Action<Input, Result>,
    input: NoInfer<Input>,
  ) => Promise<Performed<Result>>;
  /** Runs statements that no log entry reports, each in a transaction of its own. */
  readonly writeWithoutLog: <Input, Result extends WithoutLog>(
    action: Action<Input, Result>,
    input: NoInfer<Input>,
  ) => Promise<Result>;
  /** Sends a message as the actor, or as a user in whose name the actor mirrors it from another service. */
  readonly sendMessage: (
    recipient: messages.Recipient,
    text: messages.MessageText,
    mirroredSenderId?: number,
  ) => Promise<SentMessage>;
  auth: AuthContext;
  invitations: InvitationsContext;
  exports: { limits: exports.ExportLimits };
  /** The largest archive that owners may import; 0 if they may import none. */
  imports: { bytesMax: number };
  files: FilesContext;
  queues: QueuesContext;
  presences: SharedPresences;
  /** The alert words of organizations, as sends remember them. */
  alertWords: Engine['alertWords'];
  /** Whether the server sends mail. */
  canMail: boolean;
  push: Pick<PushClient, 'services' | 'send'>;
  /** What searches ask beside Postgres; null where there is nothing. */
  search: SearchEngine | null;
  /** Returns the key by which push services of browsers know an organization; null where browsers are sent nothing. */
  readonly vapidKeyOf: (realmId: number) => Promise<string | null>;
}

interface AuthContext {
  readonly apiKeyOf: (user: { id: number; keyGeneration: number }) => string;
  /** The account that a username and a password belong to. See `logIn` for what it throws. */
  logIn(username: string, password: string): Promise<UserRow>;
  /** The account of somebody whom a provider has identified. See `admitIdentified` for what it throws. */
  admit(identified: Identified): Promise<UserRow>;
  /** Whether a password is that of an account, here or in the directory. */
  isPasswordOf(user: { id: number; email: string }, password: string): Promise<boolean>;
  signIn: SignIn;
  passwordGuesses: PasswordGuesses;
  emailChanges: EmailChangeLimiter;
  /** Counts a request for a link to set a new password. See `PasswordResetLimiter` for what it throws. */
  limitPasswordResets(email: string): Promise<void>;
}

interface InvitationsContext {
  /** The most that an organization sends by email in a day; null for any number. */
  perDayMax: number | null;
  /** The address on which an invitation is accepted. */
  urlOf(realm: Realm, id: number): string;
  /** @throws BAD_REQUEST on a server that cannot send mail */
  assertCanMail(): void;
}

interface FilesContext {
  /** The files in the body, if the endpoint takes files. A client may send none, one or more than one. */
  received: ReceivedFile[];
  store: FileStore;
  quotas: attachments.UploadQuotas;
  /** Signs a path that opens an upload to whoever has the path, for one minute. */
  temporaryPath(pathId: string): string;
}

interface QueuesContext {
  save(record: QueueRecord): Promise<void>;
  /** The form of ids that every queue node can count. */
  readonly idForm: () => Promise<IdForm>;
  /** Returns over how many buckets the ids of the realm's queues are spread. */
  readonly bucketsOf: (tx: Tx, realmId: number) => Promise<number>;
  limitRegistrations: RegistrationLimiter;
  sharedStates: SharedStates;
  /** Reads the number of the realm's newest ephemeral event. */
  newestEphemeral(): Promise<number>;
}
