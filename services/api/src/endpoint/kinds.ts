import type { ErrorCode } from '@parley/protocol';

import { requirementErrors } from '../auth/requirements.ts';
import type { BytesEndpoint } from './bytes.ts';
import type { JsonEndpoint } from './endpoint.ts';
import type { PageEndpoint } from './page.ts';
import type { ProbeEndpoint } from './probe.ts';
import type { TusEndpoint } from './tus.ts';

/** Anything that an API node answers. The kind says in which form, and so what may be relied upon. */
export type Endpoint = JsonEndpoint | PageEndpoint | BytesEndpoint | TusEndpoint | ProbeEndpoint;

/** Returns where an endpoint is, below the address of an organization. */
export function addressOf({ kind, auth, path }: Pick<Endpoint, 'kind' | 'auth' | 'path'>): string {
  if (auth === 'session') return `/json${path}`;
  return kind === 'json' || kind === 'tus' ? `/api/v1${path}` : path;
}

/**
 * Returns how an endpoint is called where endpoints are listed. Of those of the API, the path is the one below /api/v1.
 */
export const nameOf = (endpoint: Pick<Endpoint, 'kind' | 'auth' | 'method' | 'path'>): string =>
  `${endpoint.method} ${addressOf(endpoint).replace(/^\/api\/v1/, '')}`;

/** Returns the codes that an endpoint can answer with before its own handler runs. They follow from its declaration. */
export function commonErrors(endpoint: Endpoint): ErrorCode[] {
  const { requires, aliases, developmentOnly } = endpoint;
  const codes: ErrorCode[] = [
    ...errorsOfKind(endpoint),
    ...(developmentOnly ? (['NOT_FOUND'] as const) : []),
    ...errorsOfAuth(endpoint),
    ...requires.map((requirement) => requirementErrors[requirement]),
    ...(needsParameter(endpoint) ? (['REQUEST_VARIABLE_MISSING'] as const) : []),
    ...(Object.keys(aliases).length > 0 ? (['REQUEST_CONFUSING_VAR'] as const) : []),
  ];
  return [...new Set(codes)];
}

/** Returns every code that an endpoint can answer with. */
export const errorsOf = (endpoint: Endpoint): ErrorCode[] => [...commonErrors(endpoint), ...endpoint.errors];

/** A request can be unreadable, name no organization, exceed a limit, or come while the service is not ready. */
function errorsOfKind(endpoint: Endpoint): readonly ErrorCode[] {
  switch (endpoint.kind) {
    case 'json':
    case 'tus':
      return ['BAD_REQUEST', 'NONEXISTENT_SUBDOMAIN', 'RATE_LIMIT_HIT', 'SERVER_NOT_READY'];
    case 'page':
      return [
        ...(['BAD_REQUEST', 'NONEXISTENT_SUBDOMAIN', 'RATE_LIMIT_HIT', 'SERVER_NOT_READY'] as const),
        ...(endpoint.ownSiteOnly ? (['CSRF_FAILED'] as const) : []),
      ];
    case 'bytes':
      return endpoint.of === 'server'
        ? ['RATE_LIMIT_HIT', 'SERVER_NOT_READY']
        : ['BAD_REQUEST', 'NONEXISTENT_SUBDOMAIN', 'RATE_LIMIT_HIT', 'SERVER_NOT_READY'];
    default:
      return ['SERVER_NOT_READY'];
  }
}

function errorsOfAuth({ auth }: Endpoint): readonly ErrorCode[] {
  switch (auth) {
    case 'none':
      return [];
    case 'optional':
      return ['UNAUTHORIZED', 'RATE_LIMIT_HIT'];
    case 'session':
      return ['UNAUTHENTICATED_USER', 'REALM_DEACTIVATED', 'USER_DEACTIVATED', 'CSRF_FAILED'];
    case 'key':
      return ['UNAUTHENTICATED_USER', 'UNAUTHORIZED', 'INVALID_API_KEY'];
    default:
      return ['UNAUTHENTICATED_USER', 'UNAUTHORIZED'];
  }
}

/** Whether a request can lack a parameter. Those of the path are always there. */
function needsParameter({ path, params }: Endpoint): boolean {
  const inPath = new Set(path.split('/').filter((step) => step.startsWith(':')));
  return Object.entries(params).some(
    ([name, parameter]) => !inPath.has(`:${name}`) && !parameter.safeParse(undefined).success,
  );
}
