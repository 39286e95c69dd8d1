import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isPublicAddress, isWebPort } from './guard.ts';

describe('an address', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.254',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('an address on the Internet is reached: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared by a carrier', '100.64.0.1'],
    ['metadata of Alibaba', '100.100.100.200'],
    ['link-local, metadata of most clouds', '169.254.169.254'],
    ['metadata of Oracle', '192.0.0.192'],
    ['metadata of Azure', '168.63.129.16'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['relays', '192.88.99.1'],
    ['benchmarks', '198.19.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['nothing', '::'],
    ['loopback', '::1'],
    ['loopback in long', '0:0:0:0:0:0:0:1'],
    ['unique local', 'fc00::1'],
    ['metadata of AWS', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local of one interface', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hex', '::ffff:7f00:1'],
    ['mapped, of whatever', '::ffff:8.8.8.8'],
    ['compatible loopback', '::127.0.0.1'],
    ['translated', '::ffff:0:7f00:1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['discarded', '100::1'],
    ['segment routing', '5f00::1'],
    ['not handed out', '4000::1'],
    ['none', ''],
    ['a name', 'localhost'],
    ['a number', '2130706433'],
    ['in hex', '0x7f000001'],
    ['in octal', '0177.0.0.1'],
    ['short', '127.1'],
  ])('an address that is %s is not reached: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('an unreachable address of IPv4 is not reached in any form of IPv6 either', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const privately = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    );
    fc.assert(
      fc.property(privately, ([a, b, c, d]) => {
        const dotted = `${a}.${b}.${c}.${d}`;
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const address of [dotted, `::${hex}`, `::ffff:${dotted}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
          expect(isPublicAddress(address), address).toBe(false);
        }
      }),
    );
  });
});

test.each([
  [80, true],
  [443, true],
  [8080, true],
  [8443, true],
  [3000, true],
  [65_535, true],
  [0, false],
  [22, false],
  [25, false],
  [465, false],
  [587, false],
  [6000, false],
  [6667, false],
])('port %i is the web’s: %s', (port, isIt) => {
  expect(isWebPort(port)).toBe(isIt);
});
