import { describe, expect, test } from 'vitest';

import {
  basic,
  createChannel,
  getWorld,
  letSpectatorsIn,
  linkTo,
  realm,
  say,
  statusFor,
  subscribe,
  succeed,
  tell,
  upload,
} from '../../support/index.ts';

describe('GET /user_uploads', () => {
  test('is the owner’s alone until somebody else may read a message with it', async () => {
    const { alice, bob, admin, guest } = await realm();
    const url = await upload(alice);
    expect(await statusFor(alice, url)).toBe(200);
    for (const other of [bob, admin, guest]) expect(await statusFor(other, url)).toBe(403);

    await tell(alice, [bob], `For you: [notes](${url})`);

    expect(await statusFor(bob, url)).toBe(200);
    for (const other of [admin, guest]) expect(await statusFor(other, url)).toBe(403);
  });

  test('an upload in a public channel is everyone’s but those guests who are not in it', async () => {
    const { alice, bob, guest, bot, join } = await realm();
    const inside = await join({ name: 'Insider', role: 600 });
    await subscribe(alice, 'news', [alice, inside]);
    const url = await upload(alice);
    await say(alice, 'news', 't', linkTo(url));
    for (const person of [bob, bot, inside]) expect(await statusFor(person, url)).toBe(200);
    expect(await statusFor(guest, url)).toBe(403);
  });

  test('an upload in a web-public channel is also the guests’', async () => {
    const people = await realm();
    const { owner, alice, guest } = people;
    await letSpectatorsIn(people);
    const id = await createChannel(alice, 'open');
    const url = await upload(alice);
    await say(alice, 'open', 't', linkTo(url));
    expect(await statusFor(guest, url)).toBe(403);
    await succeed(owner.patch(`/streams/${id}`, { is_web_public: true }));
    expect(await statusFor(guest, url)).toBe(200);
  });

  test('an upload in a private channel is for its subscribers, who read its history or only what they received', async () => {
    const { owner, alice, bob, carol, guest } = await realm();
    await subscribe(alice, 'shared', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    await subscribe(alice, 'protected', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const [shared, secret] = [await upload(alice), await upload(alice)];
    await say(alice, 'shared', 't', linkTo(shared));
    await say(alice, 'protected', 't', linkTo(secret));
    for (const url of [shared, secret]) {
      expect(await statusFor(bob, url)).toBe(200);
      for (const person of [carol, guest, owner]) expect(await statusFor(person, url)).toBe(403);
    }

    await subscribe(alice, 'shared', [carol]);
    await subscribe(alice, 'protected', [carol]);

    expect(await statusFor(carol, shared)).toBe(200);
    expect(await statusFor(carol, secret)).toBe(403);
  });

  test('gives nothing to those without an account, another organization, or a deactivated user', async () => {
    const { owner, alice, bob } = await realm();
    const elsewhere = await realm();
    await subscribe(alice, 'news', [alice]);
    const url = await upload(alice);
    await say(alice, 'news', 't', linkTo(url));
    expect((await bob.fetch(url, {}, { authorization: null })).status).toBe(403);
    expect((await elsewhere.alice.fetch(url)).status).toBe(404);
    expect((await bob.fetch(url, {}, { host: elsewhere.realm.host })).status).toBe(401);
    await succeed(owner.delete(`/users/${bob.id}`));
    expect(await statusFor(bob, url)).toBe(401);
  });

  test('gives nothing to bots that only write', async () => {
    const { alice } = await realm();
    const { user_id, api_key } = await succeed(
      alice.post('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 }),
    );
    await subscribe(alice, 'open', [alice]);
    const url = await upload(alice);
    await say(alice, 'open', 't', linkTo(url));
    const { user } = await alice.get(`/users/${user_id}`);
    const authorization = basic(user.delivery_email, api_key);
    expect((await alice.fetch(url, {}, { authorization })).status).toBe(401);
    expect((await alice.fetch(`${url}?api_key=${api_key}`, {}, { authorization: null })).status).toBe(401);
  });

  test('takes the key of an account in the address, too', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    const ask = (key: string) => alice.fetch(`${url}?api_key=${key}`, {}, { authorization: null });
    expect((await ask(alice.apiKey)).text).toBe('some notes');
    expect((await ask(alice.apiKey)).status).toBe(200);
    expect((await ask(bob.apiKey)).status).toBe(403);
    const refused = await ask('x'.repeat(32));
    expect([refused.status, refused.text]).toEqual([
      401,
      expect.stringContaining('This API key is not valid.'),
    ]);
    expect((await ask('')).status).toBe(401);
    const { api_key } = await alice.post('/users/me/api_key/regenerate');
    expect((await ask(alice.apiKey)).status).toBe(401);
    expect((await ask(api_key)).status).toBe(200);
  });

  test('does not cost the account any of its calls, and has a limit of its own', async () => {
    const { alice } = await realm();
    const url = await upload(alice);
    const [once, five] = [1, 5].map((count) => [{ seconds: 3600, count }]);
    await using node = await (
      await getWorld()
    ).startApi({ limits: { byUser: once, byAddress: once, logins: once, filesByUser: five } });
    const read = () => alice.fetch(url, {}, { port: node.port });
    for (let time = 0; time < 5; time += 1) expect((await read()).status).toBe(200);
    expect((await alice.ask('GET', '/users/me', {}, { port: node.port })).status).toBe(200);
    const refused = await read();
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'RATE_LIMIT_HIT' }]);
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-9]\d*$/),
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
    });
  });

  test.each([
    '/user_uploads/1/2/3',
    '/user_uploads/x/%00/..a',
    '/user_uploads/thumbnail/1/2/3/840x560.webp',
    '/user_uploads/temporary/1.2/1/2/3',
    '/user_avatars/1/none.png',
    '/user_avatars/1/..%2f..%2fsecret.png',
    `/user_uploads/1/${'x'.repeat(1000)}/a`,
  ])('answers %s in words', async (path) => {
    const { alice } = await realm();
    const reply = await alice.fetch(path);
    expect(reply.status).toBe(404);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('GET /api/v1/user_uploads/{realm_id_str}/{filename}', () => {
  test('opens the file for a minute to whoever has the path', async () => {
    const { alice, bob } = await realm();
    const world = await getWorld();
    const url = await upload(alice);
    const askedMs = Date.now();
    const { body } = await alice.ask('GET', url);
    expect(body.url).toMatch(/^\/user_uploads\/temporary\//);

    const open = (port?: number) =>
      bob.fetch(body.url, {}, { authorization: null, ...(port !== undefined && { port }) });
    expect((await open()).text).toBe('some notes');
    const untilMs = Number(/\d+/.exec(body.url)?.[0]);
    expect(untilMs - 60_000).toBeLessThanOrEqual(Date.now());
    expect(untilMs - 60_000).toBeGreaterThanOrEqual(askedMs);
    await using soon = await world.startApi({ clock: { nowMs: () => untilMs - 1000 } });
    expect((await open(soon.port)).status).toBe(200);
    await using later = await world.startApi({ clock: { nowMs: () => untilMs + 1000 } });
    expect((await open(later.port)).status).toBe(403);
  });

  test('is for nobody who may not read it, and for no other file', async () => {
    const { alice, bob } = await realm();
    const elsewhere = await realm();
    const [url, other] = [await upload(alice), await upload(alice)];
    for (const person of [bob, elsewhere.alice]) {
      const reply = await person.ask('GET', url);
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    const path: string = (await alice.ask('GET', url)).body.url;
    const signature = path.split('/')[3] ?? '';
    const [until = '', mac = ''] = signature.split('.');
    const pathId = (address: string) => address.replace('/user_uploads/', '');
    for (const forged of [
      `/user_uploads/temporary/${signature}/${pathId(other)}`,
      `/user_uploads/temporary/${Number(until) + 1}.${mac}/${pathId(url)}`,
      `/user_uploads/temporary/${until}.${mac.slice(1)}/${pathId(url)}`,
      `/user_uploads/temporary/${until}/${pathId(url)}`,
    ]) {
      expect((await bob.fetch(forged, {}, { authorization: null })).status).toBe(403);
    }
  });
});
