import type { Engine } from '@parley/engine';
import type { Clock, FairQueue, Logger } from '@parley/kit';
import type { Realm } from '@parley/model';
import type { SharedRateLimiter } from '@parley/redis';
import type { LanguageTag } from '@parley/strings';
import type { Context as Request } from 'hono';

import type { PasswordResetLimiter } from '../auth/account-limits.ts';
import type { CallerDeps } from '../auth/identify.ts';
import type { LoginLimiter, LoginPlace } from '../auth/login-limiter.ts';
import type { Oidc } from '../auth/oidc.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { TemporaryPaths } from '../auth/temporary-path.ts';
import type { BytesContext, Text } from '../endpoint/bytes.ts';
import type { RequestContext } from '../endpoint/context.ts';
import type { Links } from '../endpoint/page.ts';
import type { NodeState } from '../endpoint/probe.ts';
import type { ReadTurns } from '../http/read-turns.ts';
import type { ReplyBudget } from '../http/reply-budget.ts';
import type { ClientFiles } from '../static/client-files.ts';

type Context = RequestContext<unknown, unknown>;

/** Answers a request. */
export type Serve = (request: Request) => Promise<Response>;

/** What an account may ask, and an address without one. */
interface RequesterLimits {
  byUser: SharedRateLimiter;
  byAddress: SharedRateLimiter;
}

/** What serves requests, in groups. An endpoint's handler sees of it what its context holds. */
export interface ServeDeps extends Pick<
  Context,
  'invitations' | 'exports' | 'imports' | 'canMail' | 'presences' | 'push' | 'search' | 'vapidKeyOf'
> {
  engine: Engine;
  clock: Clock;
  logger: Logger;
  isDevelopment: boolean;
  callers: CallerDeps;
  limits: {
    requests: RequesterLimits;
    files: RequesterLimits;
    logins: (place: LoginPlace) => LoginLimiter;
  };
  auth: Pick<Context['auth'], 'apiKeyOf' | 'passwordGuesses' | 'emailChanges'> & {
    passwordResets: PasswordResetLimiter;
    readonly signIn: (realm: Realm) => SignIn;
  };
  files: Pick<Context['files'], 'store' | 'quotas'> & {
    temporaryPaths: TemporaryPaths;
    thumbnail: BytesContext<unknown, unknown>['thumbnail'];
  };
  queues: Pick<Context['queues'], 'save' | 'idForm' | 'bucketsOf' | 'limitRegistrations' | 'sharedStates'>;
  /** In which whoever sends or reads much has to wait for themselves. */
  turns: { reads: Pick<ReadTurns, 'take' | 'search'>; uploads: FairQueue };
  replyBudget: ReplyBudget;
  pages: {
    readonly languageOf: (realm: Realm) => Promise<LanguageTag>;
    oidc: Oidc | null;
    links: Links;
    isHttps: boolean;
    readonly clientFiles: () => Promise<ClientFiles>;
    hasServiceWorker: boolean;
    readonly apiDocument: () => Promise<Text>;
  };
  node: NodeState;
}
