import { expect, test } from 'vitest';

import { realmOfHost } from './realm-host.ts';

const hosts = { baseHost: 'chat.example', rootRealm: 'root' };

test.each([
  ['no header', undefined, 'root'],
  ['the base host', 'chat.example', 'root'],
  ['the base host with a port', 'Chat.Example:9991', 'root'],
  ['this machine', 'localhost:9991', 'root'],
  ['an IPv4 address', '192.0.2.7:80', 'root'],
  ['an IPv6 address', '[2001:db8::1]:80', 'root'],
  ['an IPv6 address without a port', '[::1]', 'root'],
  ['a subdomain', 'acme.chat.example', 'acme'],
  ['a subdomain with a port', 'ACME.chat.example:443', 'acme'],
  ['a subdomain of a subdomain', 'a.b.chat.example', null],
  ['another host', 'elsewhere.example', null],
  ['a host that only ends in the same letters', 'evilchat.example', null],
  ['an address with something before it', '1[::1]', null],
  ['an address with something behind it', '[::1]1', null],
])('%s', (_, header, realm) => {
  expect(realmOfHost(header, hosts)).toBe(realm);
});
