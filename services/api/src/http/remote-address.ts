import { getConnInfo } from '@hono/node-server/conninfo';
import { clientAddress } from '@parley/http';
import type { Context } from 'hono';

/** Returns the address of whoever sent a request. */
export const remoteAddress = (c: Context): string =>
  clientAddress(c.req.header('x-forwarded-for'), getConnInfo(c).remote.address);
