import { Networks } from '@parley/kit';
import { describe, expect, test } from 'vitest';

import { createClientAddress } from './client-address.ts';

describe('where no proxies are named', () => {
  const clientAddress = createClientAddress(undefined);

  test.each([
    ['the nearest proxy says it last', '203.0.113.1, 198.51.100.2', '127.0.0.1', '198.51.100.2'],
    ['a proxy in a private network is one’s own', '198.51.100.2', '172.18.0.5', '198.51.100.2'],
    ['a proxy in a private network of IPv6 is one’s own', '198.51.100.2', 'fd00::5', '198.51.100.2'],
    ['nobody beyond the nearest one is asked', '6.6.6.6, 10.0.0.7', '10.0.0.2', '10.0.0.7'],
    ['a sender elsewhere says nothing', '6.6.6.6', '203.0.113.9', '203.0.113.9'],
    ['of a socket, without a proxy', undefined, '192.0.2.7', '192.0.2.7'],
    ['of a socket, where the proxy says nothing', ' ', '10.0.0.2', '10.0.0.2'],
    ['of a socket, where the proxy says nonsense', '6.6.6.6, unknown', '10.0.0.2', '10.0.0.2'],
    ['of nobody', '6.6.6.6', undefined, 'unknown'],
    ['a network', undefined, '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['a network that is written short', undefined, '2001:DB8::6', '2001:db8::/64'],
    ['a network with a zone', undefined, 'fe80::1%eth0', 'fe80::/64'],
    ['IPv4 written as IPv6', undefined, '::ffff:192.0.2.7', '192.0.2.7'],
    ['IPv4 written as hexadecimal IPv6', '::FFFF:c000:0207', '::ffff:127.0.0.1', '192.0.2.7'],
    ['IPv4 behind a translator', undefined, '64:ff9b::192.0.2.7', '192.0.2.7'],
    ['with a port', '192.0.2.7:4711', '127.0.0.1', '192.0.2.7'],
    ['IPv6 with a port', '[2001:db8::6]:4711', '127.0.0.1', '2001:db8::/64'],
    ['IPv6 in brackets', '[2001:db8::6]', '127.0.0.1', '2001:db8::/64'],
    ['an address in another notation is nonsense', '0x7f.1', '127.0.0.1', '127.0.0.1'],
  ])('%s', (_, forwardedFor, socket, address) => {
    expect(clientAddress(forwardedFor, socket)).toBe(address);
  });
});

describe('where proxies are named', () => {
  const clientAddress = createClientAddress(Networks.parse('10.0.0.0/24, 192.0.2.1, 2001:db8:f::/48'));

  test.each([
    [
      'each of them is asked for the one before',
      '6.6.6.6, 198.51.100.2, 192.0.2.1',
      '10.0.0.2',
      '198.51.100.2',
    ],
    ['of both kinds', '198.51.100.2, 2001:db8:f::1, 10.0.0.9', '10.0.0.2', '198.51.100.2'],
    ['whoever is not among them says nothing', '6.6.6.6', '10.0.1.2', '10.0.1.2'],
    ['neither does who connects from this host', '6.6.6.6', '127.0.0.1', '127.0.0.1'],
    ['a request that began at a proxy is the proxy’s', '10.0.0.3, 10.0.0.4', '10.0.0.2', '10.0.0.3'],
    ['an IPv4 proxy that connects by IPv6', '198.51.100.2', '::ffff:10.0.0.2', '198.51.100.2'],
  ])('%s', (_, forwardedFor, socket, address) => {
    expect(clientAddress(forwardedFor, socket)).toBe(address);
  });

  test('a list of none trusts nobody', () => {
    expect(createClientAddress([])('6.6.6.6', '127.0.0.1')).toBe('127.0.0.1');
  });
});
