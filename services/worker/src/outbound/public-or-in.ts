import { type Network, isInNetworks } from '@parley/kit';

import { type AddressGuard, isPublicAddress } from './guard.ts';

/** Returns a guard that admits public addresses, and those of networks of one's own. */
export const publicOrIn =
  (networks: readonly Network[]): AddressGuard =>
  (address) =>
    isPublicAddress(address) || isInNetworks(address, networks);
