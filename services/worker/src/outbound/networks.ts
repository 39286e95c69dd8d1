import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { type AddressGuard, isPublicAddress } from './guard.ts';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

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

/** Returns a guard that admits public addresses, and those of networks of one's own. */
export const publicOrIn =
  (networks: readonly Network[]): AddressGuard =>
  (address) =>
    isPublicAddress(address) || (ipaddr.isValid(address) && networks.some((one) => isIn(address, one)));

function isIn(text: string, [base, bits]: Network): boolean {
  const address = ipaddr.parse(text);
  return address.kind() === base.kind() && address.match(base, bits);
}
