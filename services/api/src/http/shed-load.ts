import { counter } from '@parley/telemetry';
import type { MiddlewareHandler } from 'hono';

const shed = counter(
  'parley_http_shed_total',
  'Requests that were refused because there were too many at once',
);

interface ShedLoadOptions {
  /** Requests that may be under way at once. */
  requestsMax: number;
  /** How late everything may be that this process does. */
  lateMsMax: number;
  /** How late everything is. */
  readonly lateMs: () => number;
  readonly refuse: () => Response;
}

/** Checks whether it is alive, and uploads, which take as long as their sender's network. */
const uncounted = /^\/(?:health|ready)$|\/user_uploads|\/tus(?:\/|$)/;

/**
 * Refuses requests while there are more than can be answered in time, before anything is done for them. Those who are
 * served are served as fast as ever, and the others are told to come back soon; otherwise all would wait until all had
 * given up.
 */
export function shedLoad({ requestsMax, lateMsMax, lateMs, refuse }: ShedLoadOptions): MiddlewareHandler {
  let underWay = 0;
  return async (c, next) => {
    if (uncounted.test(c.req.path)) return await next();
    if (underWay >= requestsMax || (underWay > 0 && lateMs() > lateMsMax)) {
      shed.inc();
      return refuse();
    }
    underWay += 1;
    try {
      return await next();
    } finally {
      underWay -= 1;
    }
  };
}
