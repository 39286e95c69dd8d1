import type { WebReply, WebRequest } from '@parley/push';

import { AddressRefused, type Outbound } from '../outbound/client.ts';

/** Returns how push services of browsers are asked, by a client that connects only to addresses that it may. */
export const webPushPost =
  (outbound: Outbound) =>
  async ({ url, headers, body }: WebRequest): Promise<WebReply | null> => {
    try {
      const request = { url, method: 'POST', headers, body, bytesMax: 0, acceptsBody: () => false } as const;
      const { status, header } = await outbound.request(request);
      return { status, retryAfter: header('retry-after') };
    } catch (error) {
      if (isRefused(error)) return null;
      throw error;
    }
  };

/** A name that leads to an address of one's own network is found out when the connection is made. */
function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressRefused) return true;
  return false;
}
