import { expect, test } from 'vitest';

import { emailDomainOf, realmAt } from './site.ts';

const fakeEmailDomain = 'fake.invalid';
const row = { id: 1, name: 'acme', membersConversationId: 1 };

test.each([
  ['http://localhost:9991', 'localhost', 'fake.invalid'],
  ['http://127.0.0.1:9991', 'localhost', 'fake.invalid'],
  ['http://192.0.2.7', '192.0.2.7', 'fake.invalid'],
  ['https://chat', 'chat', 'fake.invalid'],
  ['https://chat.example.org', 'chat.example.org', 'chat.example.org'],
])(
  'a realm at %s has one address, and one domain for the email addresses that are made up',
  (url, host, domain) => {
    const site = { baseUrl: url, baseHost: host, rootRealm: 'acme', fakeEmailDomain };
    expect(realmAt(row, site)).toMatchObject({ url, host, emailDomain: domain });
    expect(emailDomainOf('acme', site)).toBe(domain);
  },
);
