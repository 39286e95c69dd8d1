import { isIP } from 'node:net';

import { type Network, isInNetworks } from '@parley/kit';
import ipaddr from 'ipaddr.js';

/**
 * Returns the address of whoever sent a request, in one form: an IPv4 address, or an IPv6 network of 64 bits, because
 * one caller usually has a whole network.
 */
export type ClientAddress = (forwardedFor: string | undefined, socketAddress: string | undefined) => string;

type Address = ReturnType<typeof ipaddr.process>;

/** Ranges in which there are proxies of one's own. */
const privateRanges: readonly string[] = [
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
];

/**
 * Returns what reads addresses. Each proxy adds to X-Forwarded-For who asked it, so that header is read from its end, as
 * long as whoever wrote an entry is to be trusted. If no proxies are named, that is whoever connects from a private
 * address, and nobody beyond.
 */
export function createClientAddress(trusted: readonly Network[] | undefined): ClientAddress {
  const isTrusted = (address: Address, hop: number) =>
    trusted
      ? isInNetworks(address.toString(), trusted)
      : hop === 0 && privateRanges.includes(address.range());

  return (forwardedFor, socketAddress) => {
    let address = parseAddress(socketAddress);
    if (!address) return 'unknown';
    let rest = forwardedFor ?? '';
    for (let hop = 0; rest !== '' && isTrusted(address, hop); hop += 1) {
      const comma = rest.lastIndexOf(',');
      const sender = parseAddress(rest.slice(comma + 1));
      if (!sender) break;
      address = sender;
      rest = rest.slice(0, Math.max(comma, 0));
    }
    return textOf(address);
  };
}

/** Reads an address, which some proxies write with a port. An IPv4 address that is written as IPv6 is one of IPv4. */
function parseAddress(text: string | undefined): Address | null {
  const [, bracketed, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text?.trim() ?? '') ?? [];
  const bare = bracketed ?? withPort ?? text?.trim() ?? '';
  return isIP(bare) === 0 ? null : ipv4Of(ipaddr.process(bare));
}

/** Returns the IPv4 address that a translator wrote into one of IPv6, and any other address as it is. */
function ipv4Of(address: Address): Address {
  return address.range() === 'rfc6052' ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

function textOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.toByteArray().map((byte, index) => (index < 8 ? byte : 0));
  return `${new ipaddr.IPv6(network).toString()}/64`;
}
