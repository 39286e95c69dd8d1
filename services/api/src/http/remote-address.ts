import { getConnInfo } from '@hono/node-server/conninfo';
import { createClientAddress } from '@parley/http';
import type { Network } from '@parley/kit';
import type { Context } from 'hono';

/** Returns what finds the address of whoever sent a request, behind these proxies. */
export function createRemoteAddress(trusted: readonly Network[] | undefined): (c: Context) => string {
  const clientAddress = createClientAddress(trusted);
  return (c) => clientAddress(c.req.header('x-forwarded-for'), getConnInfo(c).remote.address);
}
