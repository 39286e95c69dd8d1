import * as model from '@parley/model';
import { expect, test } from 'vitest';

import { type TestRealm, getWorld, realm, tell } from '../support/index.ts';

/** How many are due for an hour in one organization, beside one in another that is due for a minute. */
const many = 300;
const limit = 250;

const older = '1 hour';
const newer = '1 minute';

async function twoRealms(): Promise<[busy: TestRealm, quiet: TestRealm]> {
  const [busy, quiet] = [await realm(), await realm()];
  return [busy, quiet];
}

/** Where the one of the quiet organization stands among what is listed. */
const placeOf = <Listed>(listed: readonly Listed[], isOfQuiet: (one: Listed) => boolean) => {
  expect(listed).toHaveLength(limit);
  return listed.findIndex(isOfQuiet);
};

test('a mail of an organization does not wait for all mails of another', async () => {
  const { sql, engine } = await getWorld();
  const [busy, quiet] = await twoRealms();
  const insert = async ({ realm: { id } }: TestRealm, count: number, age: string) =>
    await sql<{ id: string }[]>`
      insert into mails (realm_id, recipient, content, due_at, expires_at)
      select ${id}, 'somebody@example.com', '{}', now() - ${age}::interval, now() + interval '1 day'
      from generate_series(1, ${count}) returning id`;
  await insert(busy, many, older);
  const [{ id }] = (await insert(quiet, 1, newer)) as unknown as [{ id: string }];
  const listed = await model.mails.listDueMails(engine.db, { now: new Date(), realmIds: null }, limit);
  expect(placeOf(listed, (one) => one.id === Number(id))).toBe(1);
  await sql`delete from mails where realm_id in ${sql([busy.realm.id, quiet.realm.id])}`;
});

test('a notification of an organization does not wait for all those of another', async () => {
  const { sql, engine } = await getWorld();
  const [busy, quiet] = await twoRealms();
  const insert = async ({ realm: { id }, bob }: TestRealm, count: number, age: string) =>
    await sql<{ id: string }[]>`
      insert into pending_notifications (realm_id, user_id, message_id, kind, due_at, expires_at)
      select ${id}, ${bob.id}, number, 'push', now() - ${age}::interval, now() + interval '1 day'
      from generate_series(1, ${count}) number returning id`;
  await insert(busy, many, older);
  const [{ id }] = (await insert(quiet, 1, newer)) as unknown as [{ id: string }];
  const listed = await model.notifications.listDueNotifications(
    engine.db,
    { now: new Date(), realmIds: null },
    limit,
  );
  expect(placeOf(listed, (one) => one.id === Number(id))).toBe(1);
  await sql`delete from pending_notifications where realm_id in ${sql([busy.realm.id, quiet.realm.id])}`;
});

test('a preview in an organization does not wait for all previews in another', async () => {
  const { sql, engine } = await getWorld();
  const [busy, quiet] = await twoRealms();
  const sent = async ({ alice, bob }: TestRealm, count: number) => {
    for (let number = 0; number < count; number += 1) await tell(alice, [bob]);
  };
  await sent(busy, 3);
  await sent(quiet, 1);
  await sql`update messages set previews_due_at = now() - interval '1 hour' where realm_id = ${busy.realm.id}`;
  await sql`update messages set previews_due_at = now() - interval '1 minute' where realm_id = ${quiet.realm.id}`;
  const listed = await model.messages.listMessagesAwaitingPreviews(
    engine.db,
    { before: new Date(), realmIds: null },
    2,
  );
  expect(listed.map(({ realmId }) => realmId)).toEqual([busy.realm.id, quiet.realm.id]);
});

test('what somebody has scheduled does not wait for all that is due in another organization', async () => {
  const { sql, engine } = await getWorld();
  const [busy, quiet] = await twoRealms();
  const now = new Date();
  const remind = async ({ id }: { id: number }, realmId: number, age: string) => {
    const [message] = await sql<{ id: string }[]>`
      select id from messages where realm_id = ${realmId} order by id limit 1`;
    await sql`
      insert into reminders (realm_id, user_id, message_id, note, content, rendered_content, due_at)
      values (${realmId}, ${id}, ${message?.id ?? 0}, '', '', '', now() - ${age}::interval)`;
  };
  for (const { alice, bob } of [busy, quiet]) await tell(alice, [bob]);
  for (const who of [busy.alice, busy.bob, busy.owner]) await remind(who, busy.realm.id, older);
  await remind(quiet.alice, quiet.realm.id, newer);
  const jobs = await model.deferred.listDueJobs(engine.db, { now, until: now, realmIds: null }, 2);
  expect(jobs.map(({ id }) => id)).toContain(quiet.alice.id);
});

test('an organization alone is listed up to the limit, the longest waiting first', async () => {
  const { sql, engine } = await getWorld();
  const {
    realm: { id },
  } = await realm();
  const rows = await sql<{ id: string }[]>`
    insert into mails (realm_id, recipient, content, due_at, expires_at)
    select ${id}, 'somebody@example.com', '{}', now() - number * interval '1 second', now() + interval '1 day'
    from generate_series(1, ${many}) number returning id`;
  const listed = await model.mails.listDueMails(engine.db, { now: new Date(), realmIds: null }, limit);
  expect(listed.map((one) => one.id)).toEqual(
    rows
      .map((row) => Number(row.id))
      .toReversed()
      .slice(0, limit),
  );
  await sql`delete from mails where realm_id = ${id}`;
});
