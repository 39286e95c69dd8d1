import { histogram, secondsBuckets } from '@parley/telemetry';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';

const seconds = histogram('parley_http_request_seconds', 'How long requests took', secondsBuckets, [
  'method',
  'route',
  'status',
]);

/** Methods that have a name in metrics. Anybody may send others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures requests by the pattern of their route, of which there are as many as the code names. */
export const measureRequests: MiddlewareHandler = async (c, next) => {
  const measure = seconds.startTimer();
  await next();
  const method = methods.has(c.req.method) ? c.req.method : 'other';
  measure({ method, route: routePath(c).replace('{.+}', ''), status: c.res.status });
};
