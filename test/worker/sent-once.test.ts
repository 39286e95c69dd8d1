import { createMailer } from '@parley/worker';
import { expect, test } from 'vitest';

import {
  decideWhom,
  getWorld,
  realm,
  runOnDemand,
  startMailbox,
  startPushServices,
  succeed,
  tell,
} from '../support/index.ts';

/** Takes rows back to what they were before something was done, as a replica that lacks the last commits has them. */
async function withoutCommits(table: string, realmId: number, act: () => Promise<unknown>): Promise<void> {
  const { sql } = await getWorld();
  const rows = await sql<{ id: number }[]>`select * from ${sql(table)} where realm_id = ${realmId}`;
  expect(rows).toHaveLength(1);
  const [{ row } = { row: '' }] = await sql<{ row: string }[]>`
    select row_to_json(t)::text as row from ${sql(table)} t where realm_id = ${realmId}`;
  await act();
  await sql`delete from ${sql(table)} where realm_id = ${realmId}`;
  await sql`
    insert into ${sql(table)} overriding system value
    select * from json_populate_record(null::${sql(table)}, ${row}::text::json)`;
}

const countOf = async (table: string, realmId: number): Promise<number> => {
  const { sql } = await getWorld();
  return (await sql`select from ${sql(table)} where realm_id = ${realmId}`).length;
};

const onlyId = async (table: string, realmId: number): Promise<number> => {
  const { sql } = await getWorld();
  const [row] = await sql<{ id: number }[]>`select id from ${sql(table)} where realm_id = ${realmId}`;
  return Number(row?.id);
};

test('a notification that Postgres has forgotten to have sent is not sent again', async () => {
  await using services = await startPushServices();
  const { alice, bob, realm: home } = await realm();
  await decideWhom({ push: services.client });
  await succeed(bob.post('/users/me/android_gcm_reg_id', { token: `phone-${bob.id}` }));
  await tell(alice, [bob]);
  await decideWhom({ push: services.client });
  const id = await onlyId('pending_notifications', home.id);
  const push = () => runOnDemand('send-push', id, { push: services.client }, home.id);
  await withoutCommits('pending_notifications', home.id, push);
  expect(services.fcm).toHaveLength(1);
  expect(await push()).toEqual({ sent: 0 });
  expect(services.fcm).toHaveLength(1);
  expect(await countOf('pending_notifications', home.id)).toBe(0);
});

test('a mail that Postgres has forgotten to have sent is not sent again', async () => {
  await using mailbox = await startMailbox();
  const mailer = createMailer({ smtpUrl: mailbox.url, folder: undefined, from: 'parley@parley.example' });
  const { admin, realm: home } = await realm();
  await succeed(admin.post('/invites', { invitee_emails: 'new@elsewhere.example', stream_ids: [] }));
  const id = await onlyId('mails', home.id);
  const send = () => runOnDemand('send-mail', id, { mailer });
  await withoutCommits('mails', home.id, send);
  expect(await mailbox.mails()).toHaveLength(1);
  expect(await send()).toEqual({ sent: 0 });
  expect(await mailbox.mails()).toHaveLength(1);
  expect(await countOf('mails', home.id)).toBe(0);
});
