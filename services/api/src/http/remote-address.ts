import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';

/**
 * The caller's address as the nearest proxy saw it: the last one in X-Forwarded-For, which that proxy wrote itself.
 * Without a proxy it is the address of the socket. IPv6 addresses are cut to their /64 network, because one caller
 * usually has a whole network.
 */
export function remoteAddress(c: Context): string {
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  const address = forwarded || getConnInfo(c).remote.address || 'unknown';
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
}
