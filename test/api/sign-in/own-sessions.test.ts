import { limits } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  type Browser,
  type Person,
  type TestRealm,
  getWorld,
  openBrowser,
  realm,
  succeed,
} from '../../support/index.ts';

const password = 'correct horse battery staple';
const path = '/users/me/sessions';

async function logIn({ realm: home }: TestRealm, { email }: Person, userAgent?: string): Promise<Browser> {
  const browser = openBrowser(home);
  const headers: Record<string, string> = userAgent === undefined ? {} : { 'User-Agent': userAgent };
  const { status, text } = await browser.ask('POST', '/login/', { username: email, password }, headers);
  expect(status, text).toBe(200);
  return browser;
}

interface Session {
  id: string;
  user_agent: string;
  created_timestamp: number;
  expires_timestamp: number;
  is_current: boolean;
}

const sessionsSeenBy = async (browser: Browser): Promise<Session[]> =>
  (await browser.ask('GET', `/json${path}`)).body.sessions;

const isIn = async (browser: Browser) =>
  (await browser.ask('GET', '/json/users/me')).body.result === 'success';

/** Dora, who is logged in twice. */
async function twice() {
  const people = await realm();
  const dora = await people.join({ name: 'Dora', password });
  const phone = await logIn(people, dora, 'A phone');
  const desk = await logIn(people, dora, 'A desk');
  return { people, dora, phone, desk };
}

describe('the sessions of somebody', () => {
  test('are listed, the newest first, with what their browsers say of themselves, and tell nothing that opens one', async () => {
    const { people, dora, phone, desk } = await twice();
    await logIn(people, await people.join({ name: 'Erik', password }), 'Of another');
    const seen = await sessionsSeenBy(phone);
    expect(seen.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
      ['A desk', false],
      ['A phone', true],
    ]);
    for (const { created_timestamp, expires_timestamp } of seen)
      expect(expires_timestamp - created_timestamp).toBe(14 * 86_400);
    const { sql } = await getWorld();
    const stored = await sql<
      { hash: string }[]
    >`select token_hash as hash from sessions where user_id = ${dora.id}`;
    const secrets = [phone, desk].map(({ cookies }) => cookies.get('sessionid') ?? '');
    const told = JSON.stringify(seen);
    for (const secret of [...secrets, ...stored.map(({ hash }) => hash)]) expect(told).not.toContain(secret);
    const pretending = openBrowser(people.realm);
    for (const { id } of seen) {
      pretending.cookies.set('sessionid', `${dora.id}.${id}`);
      expect(await isIn(pretending)).toBe(false);
    }
    const byKey = (await succeed(dora.get(path))).sessions as Session[];
    expect(byKey.map(({ is_current }) => is_current)).toEqual([false, false]);
    expect(await sessionsSeenBy(desk)).toHaveLength(2);
  });

  test('keep no more of a name than fits, and begin without one as well', async () => {
    const people = await realm();
    const dora = await people.join({ name: 'Dora', password });
    await logIn(people, dora, 'x'.repeat(5000));
    const browser = await logIn(people, dora);
    const names = (await sessionsSeenBy(browser)).map(({ user_agent }) => user_agent);
    expect(names).toEqual(['', 'x'.repeat(limits.sessionUserAgentLength)]);
  });

  test('end one at a time, at once, with a poll that waits', async () => {
    const { people, dora, phone, desk } = await twice();
    const { queue_id, last_event_id } = (
      await phone.ask('POST', '/json/register', { fetch_event_types: [], event_types: ['typing'] })
    ).body;
    const poll = phone.ask('GET', '/json/events', { queue_id, last_event_id });
    const { id = '' } = (await sessionsSeenBy(phone)).find(({ is_current }) => is_current) ?? {};
    expect((await people.alice.delete(`${path}/${id}`)).code).toBe('BAD_REQUEST');
    expect(await isIn(phone)).toBe(true);

    expect((await desk.ask('DELETE', `/json${path}/${id}`)).body).toEqual({ result: 'success', msg: '' });
    expect((await poll).status).toBe(401);
    expect(await isIn(phone)).toBe(false);
    expect(await sessionsSeenBy(desk)).toMatchObject([{ user_agent: 'A desk', is_current: true }]);
    expect(await dora.delete(`${path}/${id}`)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('end all but the one that asks, and all of them by key', async () => {
    const { dora, phone, desk } = await twice();
    await succeed(desk.ask('DELETE', `/json${path}`).then(({ body }) => body));
    expect([await isIn(phone), await isIn(desk)]).toEqual([false, true]);
    await succeed(desk.ask('DELETE', `/json${path}`).then(({ body }) => body));
    expect(await isIn(desk)).toBe(true);
    await succeed(dora.delete(path));
    expect(await isIn(desk)).toBe(false);
  });

  test('begun with an earlier key are not listed', async () => {
    const { people, dora } = await twice();
    const { sql } = await getWorld();
    await sql`update sessions set key_generation = key_generation - 1 where user_id = ${dora.id}`;
    const browser = await logIn(people, dora, 'Anew');
    expect((await sessionsSeenBy(browser)).map(({ user_agent }) => user_agent)).toEqual(['Anew']);
  });

  test('are none of a bot', async () => {
    const { alice, join } = await realm();
    const bot = await join({ name: 'Bot', botType: 1, botOwnerId: alice.id });
    expect((await bot.get(path)).result).toBe('error');
    expect((await bot.delete(path)).result).toBe('error');
  });
});
