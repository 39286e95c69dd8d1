import { randomUUID } from 'node:crypto';

import { createLogger } from '@parley/kit';
import { afterEach, describe, expect, test } from 'vitest';

import { type Json, type Person, basic, getWorld, realm, succeed } from '../support/index.ts';

const password = 'correct horse battery staple';
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

async function logIn(asker: Person, username: string, typed: string): Promise<Json> {
  const params = { username, password: typed };
  return (await asker.ask('POST', '/fetch_api_key', params, { authorization: null })).body;
}

describe('POST /fetch_api_key', () => {
  test('gives the key for the password, whatever the case of the address', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const given = { result: 'success', msg: '', api_key: dora.apiKey, email: dora.email, user_id: dora.id };

    expect(await logIn(alice, dora.email, password)).toEqual(given);
    expect(await logIn(alice, dora.email.toUpperCase(), password)).toEqual(given);
    expect(await dora.get('/users/me')).toMatchObject({ user_id: dora.id });
  });

  test('does not tell a wrong password from an unknown address or an account without a password', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const wrong = {
      result: 'error',
      code: 'AUTHENTICATION_FAILED',
      msg: 'The username or password is wrong.',
    };
    expect(await logIn(alice, dora.email, `${password}!`)).toEqual(wrong);
    expect(await logIn(alice, 'nobody@example.com', password)).toEqual(wrong);
    expect(await logIn(alice, alice.email, '')).toEqual(wrong);
  });

  test('does not open an account of another organization', async () => {
    const [{ alice: outsider }, { join }] = [await realm(), await realm()];
    const dora = await join({ name: 'Dora', password });
    expect((await logIn(outsider, dora.email, password)).code).toBe('AUTHENTICATION_FAILED');
  });

  test('stops guessing after five failures per username, and tells when to come back', async () => {
    const { alice, join } = await realm();
    const [dora, erik] = [await join({ name: 'Dora', password }), await join({ name: 'Erik', password })];

    for (let guess = 0; guess < 5; guess += 1) {
      expect((await logIn(alice, dora.email, `guess ${guess}`)).code).toBe('AUTHENTICATION_FAILED');
    }
    const sixth = await logIn(alice, dora.email.toUpperCase(), password);
    expect(sixth).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) });
    expect(sixth['retry-after']).toBeGreaterThan(60);
    expect((await logIn(alice, erik.email, password)).result, 'others are not concerned').toBe('success');
  });

  test('forgets failures after a success', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 0; guess < 4; guess += 1) await logIn(alice, dora.email, 'wrong');
      expect((await logIn(alice, dora.email, password)).result).toBe('success');
    }
  });

  test('says why an account cannot be used, to its owner only', async () => {
    const { owner, alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });

    await succeed(owner.delete(`/users/${dora.id}`));
    expect(await logIn(alice, dora.email, password)).toMatchObject({ code: 'USER_DEACTIVATED' });
    expect(await logIn(alice, dora.email, 'wrong')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });

    await succeed(owner.post('/realm/deactivate'));
    expect(await logIn(alice, dora.email, password)).toMatchObject({ code: 'REALM_DEACTIVATED' });
  });

  test('wants an address', async () => {
    const { alice } = await realm();
    expect(await logIn(alice, 'dora', password)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Enter a valid email address.',
    });
  });
});

describe('POST /dev_fetch_api_key', () => {
  test('gives the key without a password in development', async () => {
    const { alice } = await realm();
    const params = { username: alice.email };
    const { body } = await alice.ask('POST', '/dev_fetch_api_key', params, { authorization: null });
    expect(body).toMatchObject({ api_key: alice.apiKey, user_id: alice.id });
  });

  test('is not there outside of development', async () => {
    const { alice } = await realm();
    const node = await (await getWorld()).startApi({ isDevelopment: false });
    open.push(node);
    const params = { username: alice.email };
    const { body } = await alice.ask('POST', '/dev_fetch_api_key', params, {
      authorization: null,
      port: node.port,
    });
    expect(body.code).toBe('NOT_FOUND');
  });
});

describe('credentials', () => {
  test('are asked for in the documented order', async () => {
    const { alice, bob } = await realm();
    const withHeader = async (authorization: string | null) => {
      const { status, body } = await alice.ask('GET', '/users/me', {}, { authorization });
      return [status, body.code, body.msg];
    };
    const pair = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

    expect(await withHeader(null)).toEqual([
      401,
      'UNAUTHENTICATED_USER',
      expect.stringContaining('Log in first'),
    ]);
    expect(await withHeader('Bearer abc')).toEqual([
      400,
      'BAD_REQUEST',
      expect.stringContaining('HTTP basic authentication'),
    ]);
    expect(await withHeader(pair('nothing'))).toEqual([
      401,
      'UNAUTHORIZED',
      'The Authorization header is malformed.',
    ]);
    expect(await withHeader(pair(`${alice.email}:short`))).toEqual([
      401,
      'UNAUTHORIZED',
      'This API key is malformed.',
    ]);
    expect(await withHeader(pair(`${alice.email}:${'x'.repeat(32)}`))).toEqual([
      401,
      'UNAUTHORIZED',
      'This API key is not valid.',
    ]);
    expect(await withHeader(pair(`${alice.email}:${bob.apiKey}`))).toEqual([
      401,
      'UNAUTHORIZED',
      'This API key is not valid.',
    ]);
    expect(await withHeader(pair(`nobody@example.com:${bob.apiKey}`))).toEqual([
      401,
      'UNAUTHORIZED',
      'This API key is not valid.',
    ]);
  });

  test('credentials of one organization open nothing in another', async () => {
    const [{ alice }, { realm: other }] = [await realm(), await realm()];
    const { body } = await alice.ask('GET', '/users/me', {}, { host: other.host });
    expect(body).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('credentials of a deactivated account or organization are refused with the reason', async () => {
    const { owner, alice, bob } = await realm();
    await succeed(owner.delete(`/users/${alice.id}`));
    expect(await alice.get('/users/me')).toMatchObject({
      code: 'UNAUTHORIZED',
      msg: 'This account is deactivated.',
    });
    await succeed(owner.post('/realm/deactivate'));
    expect(await bob.get('/users/me')).toMatchObject({
      code: 'UNAUTHORIZED',
      msg: 'This organization has been deactivated.',
    });
  });
});

describe('rate limits', () => {
  test('tell what is left, and then when to come back', async () => {
    const { alice, bob } = await realm();
    const limits = {
      byUser: [{ seconds: 60, count: 3 }],
      byAddress: [{ seconds: 60, count: 1000 }],
      logins: [{ seconds: 60, count: 5 }],
    };
    const node = await (await getWorld()).startApi({ limits });
    open.push(node);
    const ask = (who: Person) => who.ask('GET', '/users/me', {}, { port: node.port });

    const left = [];
    for (let request = 0; request < 3; request += 1)
      left.push((await ask(alice)).headers['x-ratelimit-remaining']);
    expect(left).toEqual(['2', '1', '0']);
    const { status, body } = await ask(alice);
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    expect(body['retry-after']).toBeLessThanOrEqual(60);
    expect((await ask(bob)).status, 'each account has its own budget').toBe(200);
  });

  test('a limit on guesses applies to whoever guesses, and to nobody elsewhere', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const at = await nodeOfManyAddresses({});
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await at('attic', logInAs(alice, dora.email, 'guess'))).toMatchObject({ status: 401 });
    }
    expect(await at('attic', logInAs(alice, dora.email, password))).toMatchObject({ status: 429 });
    expect(await at('home', logInAs(alice, dora.email, password))).toMatchObject({ status: 200 });
  });

  test('a limit on guesses counts as one name what a directory takes for the same', async () => {
    const { alice, join } = await realm();
    const { email } = await join({ name: 'Dora', password });
    const at = await nodeOfManyAddresses({});
    const [first = '', ...rest] = email;
    const names = [email.toUpperCase(), ` ${email}`, `${first}\u00ad${rest.join('')}`, `\u200b${email}`];
    for (const name of [...names, `${first}\u0301${rest.join('')}`]) {
      expect(await at('attic', logInAs(alice, name, 'guess')), JSON.stringify(name)).toMatchObject({
        status: 401,
      });
    }
    expect(await at('attic', logInAs(alice, email, password))).toMatchObject({ status: 429 });
  });

  test('a limit on guesses applies to all accounts together that one address tries', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const at = await nodeOfManyAddresses({ loginsByAddress: [{ seconds: 60, count: 3 }] });
    for (let time = 0; time < 5; time += 1) {
      expect(await at('attic', logInAs(alice, dora.email, password)), 'not a guess').toMatchObject({
        status: 200,
      });
    }
    for (let guess = 0; guess < 3; guess += 1) {
      const name = `nobody-${guess}@example.com`;
      expect(await at('attic', logInAs(alice, name, 'guess'))).toMatchObject({ status: 401 });
    }
    expect(await at('attic', logInAs(alice, dora.email, password))).toMatchObject({ status: 429 });
    expect(await at('home', logInAs(alice, dora.email, password))).toMatchObject({ status: 200 });
  });

  test('a limit on wrong keys comes before the accounts are read, and spares keys that were right', async () => {
    const { alice, bob } = await realm();
    const at = await nodeOfManyAddresses({ wrongKeys: [{ seconds: 60, count: 3 }] });
    const withKey = (person: Person, apiKey: string, path = '/users/me') => [
      person,
      'GET',
      path,
      {},
      { authorization: basic(person.email, apiKey) },
    ];
    expect(await at('office', withKey(alice, alice.apiKey))).toMatchObject({ status: 200 });
    for (let guess = 0; guess < 3; guess += 1) {
      expect(await at('office', withKey(bob, 'x'.repeat(32)))).toMatchObject({ status: 401 });
    }
    expect(await at('office', withKey(bob, 'x'.repeat(32)))).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT_HIT' },
    });
    expect(await at('office', withKey(bob, bob.apiKey)), 'nobody is looked up').toMatchObject({
      status: 429,
    });
    expect(await at('office', withKey(alice, alice.apiKey))).toMatchObject({ status: 200 });
    expect(await at('home', withKey(bob, bob.apiKey))).toMatchObject({ status: 200 });
  });

  test('a limit on wrong keys applies to files, too', async () => {
    const { alice } = await realm();
    await using node = await (
      await getWorld()
    ).startApi({ limits: { wrongKeys: [{ seconds: 60, count: 2 }] }, addressOf: () => alice.realm.name });
    const ask = async () =>
      (
        await alice.fetch(
          `/user_uploads/1/2/3?api_key=${'x'.repeat(32)}`,
          {},
          { authorization: null, port: node.port },
        )
      ).status;
    expect([await ask(), await ask(), await ask()]).toEqual([401, 401, 429]);
  });
});

test('refused logins and keys are logged with their address, and without what was presented', async () => {
  const { alice } = await realm();
  const lines: unknown[] = [];
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.warn = (...line: unknown[]) => void lines.push(line);
  await using node = await (await getWorld()).startApi({ logger, addressOf: () => '192.0.2.7' });
  const { port } = node;
  await alice.ask(
    'POST',
    '/fetch_api_key',
    { username: alice.email, password: 'guessed' },
    { port, authorization: null },
  );
  const key = 'k'.repeat(32);
  await alice.ask('GET', '/users/me', {}, { port, authorization: basic(alice.email, key) });
  await alice.ask('GET', '/users/me', {}, { port, authorization: basic(key, key) });
  await alice.fetch(`/avatar/1?api_key=${key}`, {}, { port, authorization: null });
  const [address, account] = ['192.0.2.7', alice.email];
  expect(lines).toMatchObject([
    [{ address, account }, 'login refused'],
    [{ address, account }, 'credentials refused'],
    [{ address }, 'credentials refused'],
    [{ address }, 'credentials refused'],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/guessed|kkkk/);
});

test('a wrong key for a queue is logged with its address, and without the key', async () => {
  const { alice } = await realm();
  const lines: unknown[] = [];
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.warn = (...line: unknown[]) => void lines.push(line);
  await using node = await (await getWorld()).startQueue({ logger });
  const { queue_id, last_event_id } = await succeed(alice.post('/register', { event_types: ['message'] }));
  const authorization = basic(alice.email, 'k'.repeat(32));
  const poll = { queue_id, last_event_id, dont_block: true };
  const { status } = await alice.ask('GET', '/events', poll, { authorization, port: node.port });
  expect(status).toBe(401);
  expect(lines).toMatchObject([[{ address: '127.0.0.1' }, 'credentials refused']]);
  expect(JSON.stringify(lines)).not.toContain('kkkk');
});

type Asked = Parameters<Person['ask']>;

const logInAs = (asker: Person, username: string, typed: string) => [
  asker,
  'POST',
  '/fetch_api_key',
  { username, password: typed },
  { authorization: null },
];

/** An api node that takes the program's name for the caller's address, so that a test has many. */
async function nodeOfManyAddresses(limits: object) {
  const node = await (
    await getWorld()
  ).startApi({ limits, addressOf: (c) => c.req.header('user-agent') ?? '' });
  open.push(node);
  const own = randomUUID();
  return async (address: string, request: unknown[]) => {
    const [asker, method, path, params, differing] = request as [Person, ...Asked];
    return await asker.ask(method, path, params, {
      ...differing,
      userAgent: `${address}/${own}`,
      port: node.port,
    });
  };
}
