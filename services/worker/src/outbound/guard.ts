import ipaddr from 'ipaddr.js';

/** Decides whether a connection to an address may be made. */
export type AddressGuard = (address: string) => boolean;

/**
 * Addresses in the public range that nevertheless answer from inside a cloud: at this one, Azure serves metadata to
 * its machines.
 */
const cloudPlatformAddresses = new Set(['168.63.129.16']);

/** The only range of IPv6 that is assigned to hosts on the Internet. The rest may be given any meaning later. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address belongs to one host on the public Internet. It does not if it is private, shared,
 * loopback, link-local (where clouds serve their metadata), multicast or documentation, or an IPv6 address that leads
 * to an IPv4 address by translation or in a tunnel.
 */
export const isPublicAddress: AddressGuard = (address) => {
  if (!ipaddr.isValid(address) || cloudPlatformAddresses.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
};

/**
 * Ports that browsers refuse, because servers of other protocols listen there ("port blocking" in the Fetch
 * standard).
 */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
]);

/** Returns whether a port is one of HTTP's own, or one that any user of a machine may listen on. */
export const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !blockedPorts.has(port));
