import { methodNotAllowed } from '@parley/http';
import { pause } from '@parley/kit';
import { ApiError, notReady } from '@parley/protocol';
import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';

import { type ApiOptions, compose } from './compose.ts';
import type { JsonEndpoint } from './endpoint/endpoint.ts';
import { type Endpoint, addressOf } from './endpoint/kinds.ts';
import type { TusEndpoint } from './endpoint/tus.ts';
import { endpoints as allEndpoints } from './endpoints.ts';
import { holdRefusals } from './http/hold-refusals.ts';
import { measureLateness } from './http/lateness.ts';
import { bugsOf, observeRequests } from './http/observe-requests.ts';
import { refuse, reply } from './http/reply.ts';
import { shedLoad } from './http/shed-load.ts';
import { serveBytes } from './serve/bytes.ts';
import type { Serve, ServeDeps } from './serve/deps.ts';
import { serveJson } from './serve/json.ts';
import { servePage } from './serve/page.ts';
import { serveProbe } from './serve/probe.ts';
import { serveCapabilities, serveTus } from './serve/tus.ts';

/** Clients give up after some seconds. What has waited this long already has no more than these left. */
const lateMsUsual = 1000;

/** Creates the application of an API node: it builds what handlers need and mounts the endpoints. It does not listen. */
export function createApp(options: ApiOptions) {
  const { logger, isDevelopment, lateMsMax = lateMsUsual, endpoints = allEndpoints } = options;
  const served = endpoints.filter(({ developmentOnly }) => isDevelopment || !developmentOnly);
  const composed = compose(options, served);
  const lateness = measureLateness();
  const app = new Hono({ getPath: routedPath });
  app.use(observeRequests(logger));
  app.use(
    shedLoad({
      requestsMax: options.requestsAtOnce,
      lateMsMax,
      lateMs: lateness.ms,
      refuse: () => refuse(notReady(), logger),
    }),
  );
  app.use(holdRefusals({ wait: () => pause(500), heldMax: 2000 }));
  for (const endpoint of served) mount(app, endpoint, composed.deps);
  mountSessions(app, served, composed.deps);
  refuseOtherMethods(app, served, composed.deps);
  app.notFound(() => refuse(new ApiError('NOT_FOUND', 'There is nothing at this address.'), logger));
  app.onError((error, c) => refuse(error, bugsOf(c, logger)));

  return Object.assign(app, {
    isHttps: options.site.baseUrl.startsWith('https:'),
    refuse: (error: unknown) => refuse(error, logger),
    async [Symbol.asyncDispose]() {
      lateness[Symbol.dispose]();
      await composed[Symbol.asyncDispose]();
    },
  });
}

function mount(app: Hono, endpoint: Endpoint, deps: ServeDeps): void {
  const method = routedMethod(endpoint);
  const pattern = patternOf(endpoint);
  app.on(method, pattern, serverOf(endpoint, deps));
  if (endpoint.kind === 'page' && pattern !== '/') app.on(method, `${pattern}/`, serverOf(endpoint, deps));
}

/** Whatever answers GET answers HEAD, and the router asks for it as GET. */
const routedMethod = ({ method }: Endpoint) => (method === 'HEAD' ? 'GET' : method);

function serverOf(endpoint: Endpoint, deps: ServeDeps): Serve {
  switch (endpoint.kind) {
    case 'json':
      return serveJson(endpoint, deps, endpoint.auth === 'session' ? 'session' : 'header');
    case 'page':
      return servePage(endpoint, deps);
    case 'bytes':
      return serveBytes(endpoint, deps);
    case 'tus':
      return serveTus(endpoint, deps);
    default:
      return serveProbe(endpoint, deps);
  }
}

/** What a program asks with a key, a browser asks with its session, below /json. */
function mountSessions(app: Hono, served: readonly Endpoint[], deps: ServeDeps): void {
  const bySession = served.filter(
    (endpoint): endpoint is JsonEndpoint | TusEndpoint =>
      endpoint.kind === 'tus' ||
      (endpoint.kind === 'json' && ['user', 'cached', 'spectator'].includes(endpoint.auth)),
  );
  for (const endpoint of bySession) {
    const pattern = patternOf(endpoint).replace(/^\/api\/v1/, '/json');
    const serve =
      endpoint.kind === 'tus' ? serveTus(endpoint, deps, 'session') : serveJson(endpoint, deps, 'session');
    app.on(routedMethod(endpoint), pattern, serve);
  }
}

/** Tells programs which methods an address of the API has. */
function refuseOtherMethods(app: Hono, served: readonly Endpoint[], deps: ServeDeps): void {
  const methodsOf = new Map<string, string[]>();
  for (const endpoint of served) {
    const pattern = patternOf(endpoint);
    if (!pattern.startsWith('/api/v1/')) continue;
    methodsOf.set(pattern, [...(methodsOf.get(pattern) ?? []), endpoint.method]);
    if (endpoint.kind === 'tus') app.options(pattern, serveCapabilities(endpoint, deps));
  }
  for (const [pattern, methods] of methodsOf) {
    const allow = {
      Allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '),
    };
    app.all(pattern, (c) =>
      c.req.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: allow })
        : reply(methodNotAllowed(methods), 405, allow),
    );
  }
}

/** An address as the router matches it. */
const patternOf = (endpoint: Endpoint) =>
  `${addressOf(endpoint)}${endpoint.kind === 'json' && endpoint.hasSlashes ? '{.+}' : ''}`;

const uploadPaths = /^(?:\/api\/v1)?\/user_uploads\//;

/** The path by which a request finds its handler. In the path of an upload, a slash may be encoded. */
function routedPath(request: Request): string {
  const path = getPath(request);
  return uploadPaths.test(path) ? path.replaceAll(/%2f/gi, '/') : path;
}
