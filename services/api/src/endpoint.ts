import type { Actor } from '@parley/model';
import type { z } from 'zod';

import type { Requirement } from './auth/requirements.ts';
import type { UploadLimit } from './files/receive.ts';
import type { Parameters, ParametersOf } from './http/parameters.ts';
import type { RequestContext } from './request-context.ts';

export { form, id } from './http/parameters.ts';

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
  /** What every caller must be; everyone with credentials may call when empty. */
  requires: readonly Requirement[];
  /** Incoming-webhook bots may call it, which may call little. */
  forWebhookBots: boolean;
  developmentOnly: boolean;
  /** How large a file it takes; null takes none. */
  upload: UploadLimit | null;
  params: Parameters;
  aliases: Record<string, string>;
  returns: z.ZodRawShape;
  handle(context: RequestContext<never, never>): Promise<object>;
}

interface Declaration<Shape extends Parameters, Kind extends Auth> {
  method: Endpoint['method'];
  path: string;
  since?: number;
  auth?: Kind;
  requires?: readonly Requirement[];
  forWebhookBots?: boolean;
  developmentOnly?: boolean;
  upload?: UploadLimit;
  params: Shape;
  aliases?: Record<string, string>;
  returns: z.ZodRawShape;
  handle(context: RequestContext<ParametersOf<Shape>, Kind extends 'none' ? null : Actor>): Promise<object>;
}

/** Declares an endpoint of the contract: a value, so that it can be listed, mounted, documented and tested by walking. */
export function endpoint<Shape extends Parameters, const Kind extends Auth = 'user'>(
  declared: Declaration<Shape, Kind>,
): Endpoint {
  return {
    auth: 'user',
    requires: [],
    forWebhookBots: false,
    developmentOnly: false,
    upload: null,
    aliases: {},
    ...declared,
  };
}
