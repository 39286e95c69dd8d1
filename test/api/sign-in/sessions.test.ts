import { describe, expect, test } from 'vitest';

import {
  type Browser,
  type Person,
  type TestRealm,
  getWorld,
  openBrowser,
  realm,
  runRecurring,
  succeed,
} from '../../support/index.ts';

const password = 'correct horse battery staple';

async function openSession({ join, realm: home }: TestRealm): Promise<{ dora: Person; browser: Browser }> {
  const dora = await join({ name: 'Dora', password });
  const browser = openBrowser(home);
  const { status, text } = await browser.ask('POST', '/login/', { username: dora.email, password });
  expect(status, text).toBe(200);
  return { dora, browser };
}

const whoAmI = async (browser: Browser) => (await browser.ask('GET', '/json/users/me')).body;
const ended = { code: 'UNAUTHENTICATED_USER' };

describe('logging in with a browser', () => {
  test('starts a session, which the browser alone has', async () => {
    const people = await realm();
    const dora = await people.join({ name: 'Dora', password });
    const browser = openBrowser(people.realm);
    const page = await browser.ask('GET', '/login/', {}, { Accept: 'text/html' });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('name="password"')]);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(await whoAmI(browser)).toMatchObject(ended);
    const wrong = await browser.ask('POST', '/login/', { username: dora.email, password: 'wrong' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(wrong.headers['www-authenticate']).toBe('Session realm="parley"');

    const reply = await browser.ask('POST', '/login/', { username: dora.email, password });
    expect(reply.body).toEqual({ result: 'success', msg: '', user_id: dora.id, email: dora.email });
    const [session, csrf] = [reply.headers['set-cookie'] ?? []].flat();
    expect(session).toMatch(/^sessionid=[\w.-]+; HttpOnly; Path=\/; SameSite=Lax; Max-Age=1209600$/);
    expect(csrf).toMatch(/^csrftoken=[\w-]+; Path=\/; SameSite=Lax; Max-Age=1209600$/);
    expect(await whoAmI(browser)).toMatchObject({ user_id: dora.id });
    const shown = await browser.ask('GET', '/login/', {}, { Accept: 'text/html' });
    expect(shown.text).toContain('You are logged in as Dora');

    const { sql } = await getWorld();
    const rows = await sql`select token_hash from sessions where user_id = ${dora.id}`;
    expect(JSON.stringify(rows), 'no table has the token').not.toContain(browser.cookies.get('sessionid'));
  });

  test('over TLS gives cookies that go nowhere else', async () => {
    const { join, realm: home } = await realm();
    const dora = await join({ name: 'Dora', password });
    const { startApi, site } = await getWorld();
    await using node = await startApi({ site: { ...site, baseUrl: 'https://localhost:9991' } });
    const browser = openBrowser(home, { port: node.port });
    const { headers } = await browser.ask('POST', '/login/', { username: dora.email, password });
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      expect(cookie).toMatch(/^__Host-\w+=.*; Secure$/);
    }
    expect(await whoAmI(browser)).toMatchObject({ user_id: dora.id });
  });

  test('is not done by a page of another site', async () => {
    const { join, realm: home } = await realm();
    const dora = await join({ name: 'Dora', password });
    const browser = openBrowser(home);
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const { status, body } = await browser.ask(
        'POST',
        '/login/',
        { username: dora.email, password },
        headers,
      );
      expect([status, body.code]).toEqual([403, 'CSRF_FAILED']);
    }
    const own = { Origin: `http://${home.host}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await browser.ask('POST', '/login/', { username: dora.email, password }, own)).status).toBe(200);
  });
});

describe('a session', () => {
  test('does what a key does, if a page of this site asks', async () => {
    const people = await realm();
    const { browser, dora } = await openSession(people);
    const send = (headers = {}) =>
      browser.ask('POST', '/json/messages', { type: 'direct', to: [people.bob.id], content: 'hi' }, headers);
    expect((await send()).body).toMatchObject({ result: 'success' });
    for (const sent of ['', 'wrong', 'x'.repeat(43)]) {
      const { status, body } = await send({ 'X-CSRFToken': sent });
      expect([status, body.code, body.reason]).toEqual([403, 'CSRF_FAILED', expect.any(String)]);
    }
    expect(
      (await browser.ask('GET', '/json/messages', { anchor: 'newest', num_before: 1 })).body,
    ).toMatchObject({
      messages: [{ sender_id: dora.id, content: '<p>hi</p>' }],
    });
    const elsewhere = openBrowser((await realm()).realm);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    expect(await whoAmI(elsewhere)).toMatchObject(ended);
    expect((await browser.ask('GET', '/api/v1/users/me')).body).toMatchObject(ended);
  });

  test('opens files', async () => {
    const people = await realm();
    const { browser, dora } = await openSession(people);
    await dora.upload('/user_uploads', [{ name: 'a.txt', content: 'secret', type: 'text/plain' }]);
    const [{ path_id: path }] = (await dora.get('/attachments')).attachments;
    expect((await browser.ask('GET', `/user_uploads/${path}`)).text).toBe('secret');
    expect((await openBrowser(people.realm).ask('GET', `/user_uploads/${path}`)).status).toBe(403);
  });

  test('is worth the API key to whoever knows the password', async () => {
    const { browser, dora } = await openSession(await realm());
    const fetchKey = async (typed: string) =>
      (await browser.ask('POST', '/json/fetch_api_key', { password: typed })).body;
    expect(await fetchKey('wrong')).toMatchObject({ code: 'BAD_REQUEST', msg: 'This is not your password.' });
    expect(await fetchKey(password)).toEqual({
      result: 'success',
      msg: '',
      api_key: dora.apiKey,
      email: dora.email,
    });
    browser.cookies.delete('csrftoken');
    expect(await fetchKey(password)).toMatchObject({ code: 'CSRF_FAILED' });
  });

  test.each<[string, (people: TestRealm, dora: Person, browser: Browser) => Promise<unknown>]>([
    ['is left', async (_, __, browser) => expect((await browser.ask('POST', '/logout/')).status).toBe(200)],
    ['gives its account another key', (_, dora) => succeed(dora.post('/users/me/api_key/regenerate'))],
    [
      'gives its account another password',
      (_, dora) =>
        succeed(dora.patch('/settings', { old_password: password, new_password: 'quite another sentence' })),
    ],
    [
      'is of an account that ended, even if it begins again',
      async ({ owner }, dora) => {
        await succeed(owner.delete(`/users/${dora.id}`));
        await succeed(owner.post(`/users/${dora.id}/reactivate`));
      },
    ],
  ])('ends when it %s, and a poll of it that waits is refused', async (_, act) => {
    const people = await realm();
    const { browser, dora } = await openSession(people);
    const cookies = new Map(browser.cookies);
    const { queue_id, last_event_id } = (
      await browser.ask('POST', '/json/register', { fetch_event_types: [], event_types: ['typing'] })
    ).body;
    const poll = browser.ask('GET', '/json/events', { queue_id, last_event_id });
    await act(people, dora, browser);
    const { status, headers, body } = await poll;
    expect([status, headers['www-authenticate']], JSON.stringify(body)).toEqual([
      401,
      'Session realm="parley"',
    ]);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(await whoAmI(browser)).toMatchObject(ended);
    const again = await browser.ask('GET', '/json/events', { queue_id, last_event_id, dont_block: true });
    expect(again.status).toBe(401);
  });

  test('is refused for an account or an organization that has ended, and says so', async () => {
    const people = await realm();
    const { browser, dora } = await openSession(people);
    await succeed(people.owner.delete(`/users/${dora.id}`));
    expect(await whoAmI(browser)).toMatchObject({ code: 'USER_DEACTIVATED' });
    const other = await realm();
    const { browser: last } = await openSession(other);
    await succeed(other.owner.post('/realm/deactivate'));
    expect(await whoAmI(last)).toMatchObject({ code: 'REALM_DEACTIVATED' });
  });

  test('ends after two weeks', async () => {
    const people = await realm();
    const { browser } = await openSession(people);
    const later = (days: number) => ({ clock: { nowMs: () => Date.now() + days * 86_400_000 } });
    const { startApi } = await getWorld();
    for (const [days, answer] of [
      [13, { result: 'success' }],
      [15, ended],
    ] as const) {
      await using node = await startApi(later(days));
      const inFuture = openBrowser(people.realm, { port: node.port });
      for (const [name, value] of browser.cookies) inFuture.cookies.set(name, value);
      expect(await whoAmI(inFuture)).toMatchObject(answer);
    }
    await runRecurring('sweep-mails', later(13));
    expect(await whoAmI(browser)).toMatchObject({ result: 'success' });
    await runRecurring('sweep-mails', later(15));
    expect(await whoAmI(browser)).toMatchObject(ended);
  });
});

describe('the event queue of a browser', () => {
  test('is polled and ended with its session, and with that of no one else', async () => {
    const people = await realm();
    const { browser } = await openSession(people);
    const { queue_id, last_event_id } = (
      await browser.ask('POST', '/json/register', { fetch_event_types: [], event_types: ['realm'] })
    ).body;
    const poll = (by: Browser) => by.ask('GET', '/json/events', { queue_id, last_event_id });
    const waiting = poll(browser);
    await succeed(people.owner.patch('/realm', { name: 'Renamed' }));
    expect((await waiting).body.events).toMatchObject([{ property: 'name', value: 'Renamed' }]);

    const other = openBrowser(people.realm);
    const erik = await people.join({ name: 'Erik', password });
    await other.ask('POST', '/login/', { username: erik.email, password });
    expect((await poll(other)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    const nobody = await poll(openBrowser(people.realm));
    expect([nobody.status, nobody.body.code]).toEqual([401, 'UNAUTHENTICATED_USER']);

    const end = (headers = {}) => browser.ask('DELETE', '/json/events', { queue_id }, headers);
    expect((await end({ 'X-CSRFToken': 'wrong' })).body).toMatchObject({ code: 'CSRF_FAILED' });
    expect((await end()).body).toEqual({ result: 'success', msg: '' });
    expect((await poll(browser)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });
});
