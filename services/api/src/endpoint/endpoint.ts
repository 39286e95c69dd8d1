import type { Actor } from '@parley/model';
import type { ErrorCode } from '@parley/protocol';
import type { z } from 'zod';

import type { Auth } from '../auth/identify.ts';
import { type Requirement, requirementErrors } from '../auth/requirements.ts';
import type { Parameters, ParametersOf } from '../http/parameters.ts';
import type { UploadLimit } from '../http/receive.ts';
import type { RequestContext } from './context.ts';

export { form, id } from '../http/parameters.ts';

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  /** The path below /api/v1. `:name` is a path parameter, which is declared in `params` like any other. */
  path: string;
  /** Whether the parameter at the end of the path may contain slashes, encoded or not. */
  hasSlashes: boolean;
  /** What it does, in one sentence for the authors of clients. */
  summary: string;
  /** The feature level that introduced it; null of what was always there. */
  since: number | null;
  /** The codes that it can answer with beyond those of `commonErrors`. */
  errors: readonly ErrorCode[];
  auth: Auth;
  /** The roles that every caller must have. */
  requires: readonly Requirement[];
  /** Whether incoming-webhook bots may call it. Almost all endpoints refuse them. */
  forWebhookBots: boolean;
  /** Whether only development servers have it. Other servers answer NOT_FOUND. */
  developmentOnly: boolean;
  /** Whether its reply redirects to the `url` that it holds. */
  redirects: boolean;
  /** The limit for the file that it takes; null if it takes no file. */
  upload: UploadLimit | null;
  /**
   * Whether another product decides what the body is. It is left to the handler: parameters come from the path and the
   * query alone, and nobody is told of those that are unknown.
   */
  takesBody: boolean;
  /** Whether its parameters may be long together: a body then has up to `limits.longBodyBytes`. */
  isLong: boolean;
  params: Parameters;
  aliases: Record<string, string>;
  returns: z.ZodRawShape;
  handle(context: RequestContext<never, never>): Promise<object>;
  /** The answer at a bare host that is no organization's. Without one, the organization is missed there. */
  handleAtRoot: ((context: RootContext) => Promise<object>) | null;
}

/** A request to a server of many organizations, at an address that is none's. */
export type RootContext<Params = never> = Pick<
  RequestContext<Params, never>,
  'client' | 'isDevelopment' | 'params' | 'push' | 'snapshot'
>;

interface Declaration<Shape extends Parameters, Kind extends Auth> extends Pick<
  Endpoint,
  'method' | 'path' | 'summary' | 'since' | 'errors'
> {
  auth?: Kind;
  hasSlashes?: boolean;
  requires?: readonly Requirement[];
  forWebhookBots?: boolean;
  developmentOnly?: boolean;
  redirects?: boolean;
  upload?: UploadLimit;
  takesBody?: boolean;
  isLong?: boolean;
  params: Shape;
  aliases?: Record<string, string>;
  returns: z.ZodRawShape;
  handleAtRoot?(context: RootContext<ParametersOf<Shape>>): Promise<object>;
  handle(context: RequestContext<ParametersOf<Shape>, Kind extends 'none' ? null : Actor>): Promise<object>;
}

/** Declares an endpoint. It is a value, so that a walk over the list of endpoints can serve, document and test them. */
export function endpoint<Shape extends Parameters, const Kind extends Auth = 'user'>(
  declared: Declaration<Shape, Kind>,
): Endpoint {
  return {
    auth: 'user',
    hasSlashes: false,
    requires: [],
    forWebhookBots: false,
    developmentOnly: false,
    redirects: false,
    upload: null,
    takesBody: false,
    isLong: declared.takesBody ?? false,
    aliases: {},
    handleAtRoot: null,
    ...declared,
  };
}

/** Any request can be unreadable, name no organization, exceed a limit, or come while the service is not ready. */
const everywhere: readonly ErrorCode[] = [
  'BAD_REQUEST',
  'NONEXISTENT_SUBDOMAIN',
  'RATE_LIMIT_HIT',
  'SERVER_NOT_READY',
];

/** The codes that an endpoint can answer with before its own handler runs. They follow from its declaration. */
export function commonErrors(endpoint: Endpoint): ErrorCode[] {
  const { auth, requires, aliases, developmentOnly } = endpoint;
  const codes: ErrorCode[] = [
    ...everywhere,
    ...(developmentOnly ? (['NOT_FOUND'] as const) : []),
    ...(auth === 'none' ? [] : (['UNAUTHENTICATED_USER', 'UNAUTHORIZED'] as const)),
    ...(auth === 'key' ? (['INVALID_API_KEY'] as const) : []),
    ...requires.map((requirement) => requirementErrors[requirement]),
    ...(needsParameter(endpoint) ? (['REQUEST_VARIABLE_MISSING'] as const) : []),
    ...(Object.keys(aliases).length > 0 ? (['REQUEST_CONFUSING_VAR'] as const) : []),
  ];
  return [...new Set(codes)];
}

/** Every code that an endpoint can answer with. */
export const errorsOf = (endpoint: Endpoint): ErrorCode[] => [...commonErrors(endpoint), ...endpoint.errors];

/** Whether a request can lack a parameter. Those of the path are always there. */
function needsParameter({ path, params }: Endpoint): boolean {
  const inPath = new Set(path.split('/').filter((step) => step.startsWith(':')));
  return Object.entries(params).some(
    ([name, parameter]) => !inPath.has(`:${name}`) && !parameter.safeParse(undefined).success,
  );
}
