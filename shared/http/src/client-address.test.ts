import { expect, test } from 'vitest';

import { clientAddress } from './client-address.ts';

test.each([
  ['the nearest proxy says it last', '203.0.113.1, 198.51.100.2', '127.0.0.1', '198.51.100.2'],
  ['of a socket, without a proxy', undefined, '192.0.2.7', '192.0.2.7'],
  ['of a socket, where the proxy says nothing', ' ', '192.0.2.7', '192.0.2.7'],
  ['of nobody', undefined, undefined, 'unknown'],
  ['a network', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2'],
  ['IPv4 written as IPv6 is one address', '64:ff9b::1:2:192.0.2.7', undefined, '64:ff9b::1:2:192.0.2.7'],
])('%s', (_, forwardedFor, socket, address) => {
  expect(clientAddress(forwardedFor, socket)).toBe(address);
});
