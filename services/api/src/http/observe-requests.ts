import { requestIdHeader } from '@parley/http';
import type { Logger } from '@parley/kit';
import { currentTracing, histogram, secondsBuckets } from '@parley/telemetry';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';

const seconds = histogram('parley_http_request_seconds', 'How long requests took', secondsBuckets, [
  'method',
  'route',
  'status',
]);

/** Methods that have a name in metrics. Anybody may send others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What whoever serves a request adds to its line of log. */
export interface RequestLine {
  realm?: string | undefined;
  user?: number;
  client?: string;
  /** The last action that it performed, or tried to. */
  action?: string;
  /** The code of the error that was answered. */
  code?: string;
}

/**
 * Measures each request and writes one line of log about it when it is answered. Both name the pattern of the route and
 * not the address, in which there may be secrets.
 */
export const observeRequests =
  (logger: Logger): MiddlewareHandler =>
  async (c, next) => {
    const startedMs = performance.now();
    const line: RequestLine = {};
    c.set('line', line);
    const trace = await serveTraced(c, next);
    const ms = performance.now() - startedMs;
    const method = methods.has(c.req.method) ? c.req.method : 'other';
    const route = routePath(c).replace('{.+}', '');
    const { status } = c.res;
    seconds.observe({ method, route, status }, ms / 1000);
    // Health is asked for all the time.
    const level = route === '/health' || route === '/ready' ? 'debug' : 'info';
    logger[level](
      {
        request_id: requestIdIn(c),
        ...(trace !== undefined && { trace_id: trace }),
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        ...line,
      },
      'request',
    );
  };

/**
 * Serves a request as a trace of its own, or as a part of the one that it names. Returns the trace's id, if there is
 * one.
 */
async function serveTraced(c: Context, next: () => Promise<void>): Promise<string | undefined> {
  const tracing = currentTracing();
  if (!tracing || c.req.path === '/health') {
    await next();
    return undefined;
  }
  return await tracing.span(
    c.req.method,
    async (span) => {
      await next();
      const { status } = c.res;
      span.rename(`${c.req.method} ${routePath(c)}`);
      span.set({ 'http.response.status_code': status, 'http.request.method': c.req.method });
      if (status >= 500) span.fail();
      return tracing.current()?.split('-')[1];
    },
    c.req.header('traceparent'),
  );
}

/** Returns the line of log about a request. */
export const requestLine = (c: Context): RequestLine => c.get('line') ?? {};

const requestIdIn = (c: Context): unknown => c.env?.outgoing?.getHeader(requestIdHeader);

/** Where bugs are logged. */
export interface BugLog {
  error(fields: object, message: string): void;
}

/** Logs the bugs that a request meets, with its id. */
export const bugsOf = (c: Context, logger: Logger): BugLog => ({
  error: (fields, message) => logger.error({ request_id: requestIdIn(c), ...fields }, message),
});
