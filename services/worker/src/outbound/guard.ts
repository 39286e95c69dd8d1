import ipaddr from 'ipaddr.js';

/** Whether a connection to an address may be made. */
export type AddressGuard = (address: string) => boolean;

/** Within the public range, and answering from inside a cloud all the same: Azure tells its machines there who they are. */
const cloudPlatformAddresses = new Set(['168.63.129.16']);

/** What of IPv6 is handed out to anybody: the rest may come to mean anything. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one host's on the public Internet. Not: private and shared networks, loopback, link-local (where
 * clouds keep their metadata), multicast, documentation, and IPv6 that leads back to an IPv4 address by translation or
 * in a tunnel.
 */
export const isPublicAddress: AddressGuard = (address) => {
  if (!ipaddr.isValid(address) || cloudPlatformAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
};

/** Where browsers speak no HTTP either, because something else listens there (fetch.spec.whatwg.org, "port blocking"). */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
]);

/** HTTP's own ports, and those that anybody may listen on. */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !blockedPorts.has(port));
