/**
 * Returns the caller's address as the nearest proxy saw it: the last one in X-Forwarded-For, which that proxy wrote
 * itself. Without a proxy it is the address of the socket. IPv6 addresses are cut to their /64 network, because one
 * caller usually has a whole network.
 */
export function clientAddress(forwardedFor: string | undefined, socketAddress: string | undefined): string {
  const forwarded = forwardedFor?.split(',').at(-1)?.trim();
  const address = forwarded || socketAddress || 'unknown';
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
}
