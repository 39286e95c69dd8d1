import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type BrowserServices,
  type Person,
  type PushBrowser,
  type TestRealm,
  addRemovals,
  claimsOf,
  createPushBrowser,
  getWorld,
  notify,
  openBrowser,
  pendingFor,
  realm,
  say,
  startBrowserServices,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

const path = '/users/me/web_push_subscriptions';

let services: BrowserServices;
let home: TestRealm;
beforeAll(async () => {
  services = await startBrowserServices();
});
afterAll(() => services[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await realm();
  // A realm is looked at from the end of its log on.
  await run();
});
afterEach(() => {
  services.pushes.length = 0;
});

/** What workers do, as they would do it some time from now. */
const run = (laterSeconds = 0, push = services.client) =>
  notify({ push, clock: { nowMs: () => Date.now() + laterSeconds * 1000 } });

async function register(who: Person, more: object = {}): Promise<PushBrowser> {
  const browser = createPushBrowser();
  await succeed(who.post(path, { ...browser.subscription, ...more }));
  return browser;
}

/** What a browser was sent. */
const pushesOf = (browser: PushBrowser) => services.pushes.filter((push) => push.path === browser.path);

/** What it reads of that: messages by their ids, with `-` what it is to remove. */
const toldOf = (browser: PushBrowser): string[] =>
  pushesOf(browser)
    .map((push) => browser.read(push))
    .map((told) => (told.event === 'remove' ? `-${told.message_ids}` : `${told.id}`));

const read = (who: Person, ...messages: number[]) =>
  succeed(who.post('/messages/flags', { messages, op: 'add', flag: 'read' }));

const registeredOf = async (who: Person) => (await succeed(who.get(path))).subscriptions;

describe('a notification in a browser', () => {
  test('is encrypted for that browser, and signed by the organization', async () => {
    const { alice, bob, carol } = home;
    const [ofBob, ofCarol] = [await register(bob), await register(carol)];
    const id = await tell(alice, [bob], 'Hello **you** :tada:');
    await run();
    await run();
    const [push] = pushesOf(ofBob);
    if (!push) throw new Error('Nothing came.');
    expect(services.pushes).toHaveLength(1);
    expect(push.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: '86400',
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(push.headers).not.toHaveProperty('cookie');
    expect(push.body.includes('Hello')).toBe(false);
    expect(ofBob.read(push)).toEqual({
      event: 'message',
      id,
      user_id: bob.id,
      sender: 'Alice',
      avatar_url: expect.any(String),
      timestamp: expect.any(Number),
      others: [alice.id],
      content: 'Hello you 🎉',
    });
    expect(() => ofCarol.read(push)).toThrow('unable to authenticate data');
    const { public_key: key } = await succeed(bob.get(path));
    const now = Date.now() / 1000;
    const { exp = 0 } = await claimsOf(push, key);
    expect([exp > now, exp <= now + 86_400]).toEqual([true, true]);
    await expect(claimsOf(push, ofCarol.subscription.p256dh)).rejects.toThrow('Another key signs.');
    expect(await pendingFor(bob)).toEqual([]);
  });

  test('says where a message is, and is cut to what services take', async () => {
    const { alice, bob } = home;
    const browser = await register(bob);
    await subscribe(alice, 'news', [alice, bob]);
    await say(alice, 'news', 'lunch', `@**Bob** ${'\u{1f600}'.repeat(1000)}`);
    await run();
    const [push] = pushesOf(browser);
    if (!push) throw new Error('Nothing came.');
    const told = browser.read(push);
    expect(told).toMatchObject({ channel: 'news', topic: 'lunch', stream_id: expect.any(Number) });
    expect(told).not.toHaveProperty('others');
    expect([...told.content]).toHaveLength(201);
    expect(push.body.length).toBeLessThanOrEqual(4096);
  });

  test('leaves out the text of a direct message for whoever wants that, and of no other', async () => {
    const { alice, bob } = home;
    const browser = await register(bob);
    await succeed(bob.patch('/settings', { pm_content_in_desktop_notifications: false }));
    await subscribe(alice, 'news', [alice, bob]);
    await tell(alice, [bob], 'secret');
    await say(alice, 'news', 'lunch', '@**Bob** soup');
    await run();
    const told = pushesOf(browser).map((push) => browser.read(push));
    expect(told.map(({ content }) => content)).toEqual([undefined, '@Bob soup']);
  });

  test('says what it is about also where phones are told nothing: nobody on the way reads it', async () => {
    const { owner, alice, bob } = home;
    const browser = await register(bob);
    await succeed(owner.patch('/realm', { require_e2ee_push_notifications: true }));
    await tell(alice, [bob], 'hello');
    await run();
    expect(pushesOf(browser).map((push) => browser.read(push).content)).toEqual(['hello']);
  });

  test('comes by the rules of phones: not of what was read, muted or not wanted', async () => {
    const { alice, bob, carol, moderator } = home;
    const browsers = [await register(bob), await register(carol), await register(moderator)];
    await succeed(carol.post(`/users/me/muted_users/${alice.id}`));
    await succeed(moderator.patch('/settings', { enable_offline_push_notifications: false }));
    await read(bob, await tell(alice, [bob, carol, moderator]));
    await run();
    expect(browsers.map(toldOf)).toEqual([[], [], []]);
  });

  test('is not sent while its owner does not want to be disturbed', async () => {
    const { alice, bob } = home;
    const until = Math.floor(Date.now() / 1000) + 3600;
    const [paused, other] = [await register(bob, { paused_until_timestamp: until }), await register(bob)];
    const first = await tell(alice, [bob]);
    await run();
    expect([toldOf(paused), toldOf(other)]).toEqual([[], [`${first}`]]);
    const second = await tell(alice, [bob]);
    await run(3700);
    expect([toldOf(paused), toldOf(other)]).toEqual([[`${second}`], [`${first}`, `${second}`]]);
  });

  test('is removed when its message is read elsewhere, in place of the message if that still waits', async () => {
    const { alice, bob } = home;
    const browser = await register(bob);
    const ids = [await tell(alice, [bob]), await tell(alice, [bob]), await tell(alice, [bob])];
    await run();
    await read(bob, ids[0] ?? 0);
    await run();
    await read(bob, ids[1] ?? 0, ids[2] ?? 0);
    await run();
    expect(toldOf(browser)).toEqual([...ids.map(String), `-${ids[0]}`, `-${ids[1]},${ids[2]}`]);
    const headers = pushesOf(browser).map((push) => push.headers);
    expect([headers[3]?.['topic'], headers[3]?.['urgency']]).toEqual([headers[0]?.['topic'], 'normal']);
    expect(headers[4]).not.toHaveProperty('topic');
  });

  test('is removed together with others, no more at once than a service takes', async () => {
    const { bob } = home;
    const browser = await register(bob);
    await addRemovals(bob, 250);
    for (let round = 0; round < 2; round += 1) await run();
    expect(toldOf(browser).map((ids) => ids.split(',').length)).toEqual([200, 50]);
    for (const { body } of services.pushes) expect(body.length).toBeLessThanOrEqual(4096);
  });
});

describe('a browser that is registered', () => {
  const password = 'correct horse battery staple';

  test('is sent nothing after its owner has logged out, or its session is too old', async () => {
    const dora = await home.join({ name: 'Dora', password });
    const [first, second] = [createPushBrowser(), createPushBrowser()];
    const browsers = [openBrowser(home.realm), openBrowser(home.realm)] as const;
    for (const [index, browser] of browsers.entries()) {
      await browser.ask('POST', '/login/', { username: dora.email, password });
      const { subscription } = index === 0 ? first : second;
      expect((await browser.ask('POST', `/json${path}`, subscription)).status).toBe(200);
    }
    await browsers[0].ask('POST', '/logout/');
    const id = await tell(home.alice, [dora]);
    await run();
    expect([toldOf(first), toldOf(second)]).toEqual([[], [`${id}`]]);
    const { sql } = await getWorld();
    await sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${dora.id}`;
    await tell(home.alice, [dora]);
    await run();
    expect(toldOf(second)).toEqual([`${id}`]);
  });

  test.each([404, 410])('is forgotten if its service does not know it (%i)', async (status) => {
    const { alice, bob } = home;
    const browser = await register(bob);
    services.answer(browser.path, { status });
    await tell(alice, [bob]);
    await run();
    expect(await registeredOf(bob)).toEqual([]);
    expect(await pendingFor(bob)).toEqual([]);
  });

  test('is sent nothing through a private network, and is forgotten', async () => {
    const { alice, bob } = home;
    await register(bob);
    await tell(alice, [bob]);
    await run(0, services.guarded);
    expect(services.pushes).toEqual([]);
    expect(await registeredOf(bob)).toEqual([]);
  });

  test('is told later by a service that is busy, when that has said, and others are at once', async () => {
    const { alice, bob } = home;
    const [busy, other] = [await register(bob), await register(bob)];
    services.answer(
      busy.path,
      { status: 429, headers: { 'retry-after': '100' } },
      { status: 503 },
      'hang up',
    );
    const id = await tell(alice, [bob]);
    await run();
    expect(toldOf(other)).toEqual([`${id}`]);
    const [waiting] = await pendingFor(bob);
    expect(waiting).toMatchObject({ kind: 'push', attempts: 1 });
    expect(waiting?.wait_seconds).toBeGreaterThan(90);
    for (const later of [200, 400, 600, 800]) await run(later);
    expect([pushesOf(busy).length, toldOf(other).length]).toEqual([4, 1]);
    expect(await pendingFor(bob)).toEqual([]);
  });

  test('is kept when its service refuses a notification, which is not sent again', async () => {
    const { alice, bob } = home;
    const browser = await register(bob);
    services.answer(browser.path, { status: 400 });
    await tell(alice, [bob]);
    await run();
    expect([await pendingFor(bob), (await registeredOf(bob)).length]).toEqual([[], 1]);
  });

  test('has its address in no line of the log', async () => {
    const { alice, bob } = home;
    const browser = await register(bob);
    services.answer(browser.path, 'hang up', { status: 400 });
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => lines.push(line);
    const logger = { debug: log, info: log, warn: log, error: log, flush: () => undefined };
    await tell(alice, [bob]);
    for (const later of [0, 700])
      await notify({
        push: services.client,
        clock: { nowMs: () => Date.now() + later * 1000 },
        // Safe: jobs log by these.
        logger: logger as never,
      });
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain(browser.path.slice(1));
  });
});
