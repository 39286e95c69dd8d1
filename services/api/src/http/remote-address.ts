import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * The caller's address as the nearest proxy saw it: the last of X-Forwarded-For, which that proxy wrote itself;
 * without a proxy, the socket's. Of an IPv6 address the /64 network, since one caller has a whole one.
 */
export function remoteAddress(c: Context): string {
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  const address = forwarded || getConnInfo(c).remote.address || 'unknown';
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
}
