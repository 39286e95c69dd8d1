import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Networks as an operator lists them: addresses, or ranges such as `10.1.0.0/16`, with commas between them. */
export const Networks = z.string().transform((list, context): Network[] =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .flatMap((one) => {
      const network = parseNetwork(one);
      if (network) return [network];
      context.addIssue({ code: 'custom', message: `${one} is neither an address nor a range of addresses` });
      return [];
    }),
);

function parseNetwork(text: string): Network | undefined {
  const [address = '', bits] = text.split('/');
  const kind = isIP(address);
  if (kind === 0) return undefined;
  if (bits === undefined) return [ipaddr.parse(address), kind === 4 ? 32 : 128];
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
}

/** Returns whether an address is in one of the networks. What is no address is in none. */
export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return networks.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
}
