import * as actions from '@parley/actions';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  type TestRealm,
  createChannel,
  getWorld,
  makeChannelOlder,
  realm,
  restoreDeleted,
  say,
  succeed,
} from '../support/index.ts';
import { isNight, seed } from '../support/seed.ts';

const day = 86_400_000;
const now = new Date();

/** A realm of three channels, each with a message of which `fill` makes others, and one to a person. */
async function startRealm() {
  const home = await realm();
  const channels: number[] = [];
  const patterns: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const id = await createChannel(home.admin, name);
    await makeChannelOlder(id, 100);
    channels.push(id);
    patterns.push(await say(home.admin, id, 'topic'));
  }
  const { sql } = await getWorld();
  const before = new Date(Date.now() - 60 * day);
  await sql`update messages set sent_at = ${before} where realm_id = ${home.realm.id}`;
  return { home, channels, patterns };
}

/** Adds a message like another one, as sent later and with an id that is as much higher as is said. */
async function fill(home: TestRealm, pattern: number, gap: number, sentAt: Date): Promise<number> {
  const { sql } = await getWorld();
  const [row] = await sql<{ id: number }[]>`
    with head as (
      update realm_heads set message_id = message_id + ${gap} where realm_id = ${home.realm.id} returning message_id as id
    )
    insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, rendered_version, client, has_link, has_image, has_attachment, read_by)
    select head.id, m.realm_id, m.conversation_id, 1000 + head.id, m.channel_id, m.topic_id, m.sender_id, ${sentAt}, m.content,
      m.rendered_content, m.rendered_version, m.client, false, false, false, m.read_by
    from messages m, head where m.realm_id = ${home.realm.id} and m.id = ${pattern} returning id`;
  return Number(row?.id);
}

async function step({ realm: { id } }: TestRealm, at = now) {
  const db = await (await getWorld()).engine.dbOf(id);
  return await actions.channels.measureTraffic(db, { realmId: id, now: at });
}

async function measure(home: TestRealm, at = now): Promise<number> {
  for (let steps = 1; ; steps += 1) if (!(await step(home, at)).hasMore) return steps;
}

/** What the channels' traffic is, and what it is if each message is counted. */
async function trafficOf(channels: number[], at = now) {
  const { sql } = await getWorld();
  const rows = await sql<{ traffic: number; plain: number }[]>`
    select c.weekly_traffic as traffic, (
      select ceil(count(*) * 7.0 / 28)::int from messages m
      where m.realm_id = c.realm_id and m.channel_id = c.id and m.sent_at >= ${new Date(at.getTime() - 28 * day)}
    ) as plain
    from channels c where c.id = any(${channels}) order by c.id`;
  return { measured: rows.map(({ traffic }) => traffic), plain: rows.map(({ plain }) => plain) };
}

test('the weekly traffic is that of a plain count, whatever happens to messages', async () => {
  for (let history = 0; history < (isNight ? 40 : 2); history += 1) {
    const numbers = fc.sample(fc.nat(2 ** 30), { numRuns: 10_000, seed: seed + history });
    const below = (max: number) => (numbers.pop() ?? 0) % max;
    const { home, channels, patterns } = await startRealm();
    let ids = [...patterns];
    const deleted: number[] = [];
    let sentMs = now.getTime() - 40 * day;
    let measurements = 0;
    const pick = () => ids[below(ids.length)] ?? 0;
    const doings = [
      async () => {
        for (let count = below(30); count > 0; count -= 1) {
          sentMs += below(day / 4);
          ids.push(await fill(home, patterns[below(3)] ?? 0, 1 + below(4000), new Date(sentMs)));
        }
      },
      async () => {
        const id = pick();
        if (patterns.includes(id)) return;
        await succeed(home.admin.delete(`/messages/${id}`));
        ids = ids.filter((one) => one !== id);
        deleted.push(id);
      },
      async () => {
        const id = pick();
        if (patterns.includes(id)) return;
        // A message that was moved before is moved again, to another topic at least.
        const topic = `moved with ${numbers.length} left`;
        const to = { stream_id: channels[below(3)], topic, propagate_mode: 'change_one' };
        const silent = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
        await succeed(home.admin.patch(`/messages/${id}`, { ...to, ...silent }));
      },
      async () => {
        await restoreDeleted(home.realm);
        ids.push(...deleted.splice(0));
      },
      // As of a worker that dies before it has measured.
      async () => void (await step(home)),
      async () => {
        await measure(home);
        measurements += 1;
        const { measured, plain } = await trafficOf(channels);
        expect(measured, `measurement ${measurements} of history ${history}`).toEqual(plain);
      },
    ];
    for (let count = 0; count < 60; count += 1) await doings[below(doings.length)]?.();
    await doings.at(-1)?.();
    // Days later, the first of them are over.
    for (const days of [3, 11]) {
      const later = new Date(now.getTime() + days * day);
      await measure(home, later);
      const { measured, plain } = await trafficOf(channels, later);
      expect(measured, `${days} days later`).toEqual(plain);
    }
  }
});

test('what is counted is not counted again, but for what has changed', async () => {
  const { home, channels, patterns } = await startRealm();
  const sent: number[] = [];
  for (let count = 0; count < 60; count += 1) {
    sent.push(await fill(home, patterns[0] ?? 0, 4096, new Date(now.getTime() - day)));
  }
  // Eight blocks a step, and one more that measures.
  expect(await measure(home)).toBe(9);
  expect(await measure(home)).toBe(1);
  await succeed(home.admin.delete(`/messages/${sent[5]}`));
  expect(await measure(home)).toBe(2);
  const { measured, plain } = await trafficOf(channels);
  expect(measured).toEqual(plain);
});

test('two that measure a realm do not wait for each other', async () => {
  const { home } = await startRealm();
  const { engine } = await getWorld();
  await measure(home);
  await engine.db.transaction(async (tx) => {
    await actions.channels.measureTraffic(tx, { realmId: home.realm.id, now });
    expect(await step(home)).toEqual({ hasMore: false });
  });
});
