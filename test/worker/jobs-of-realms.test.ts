import type { Job } from '@parley/protocol';
import { createMailer } from '@parley/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type Mailbox,
  type Person,
  emailChangeOf,
  exportRow,
  mailsTo,
  realm,
  requestEverything,
  runOnDemand,
  runRecurring,
  startMailbox,
  succeed,
  sweptAlone,
} from '../support/index.ts';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox[Symbol.asyncDispose]());

const inMailbox = () =>
  createMailer({ smtpUrl: mailbox.url, folder: undefined, from: 'Parley <noreply@parley.example>' });

/** Something that a job does about one organization, and what is done then. */
interface Doing {
  job: Job['name'];
  /** The job that looks for it again, and after how many hours it finds it. */
  sweep: string;
  hours: number;
  /** Asks for it; answers with its id, and with whether it is done. */
  ask: (owner: Person) => Promise<{ id: number; isDone: () => Promise<boolean> }>;
}

const hasMail = (address: string) => async () =>
  (await mailbox.mails()).some(({ to }) => to?.[0]?.address === address);

const doings: Doing[] = [
  {
    job: 'send-mail',
    sweep: 'sweep-mails',
    hours: 1,
    async ask(owner) {
      const address = `new${owner.id}@elsewhere.example`;
      await succeed(owner.post('/invites', { invitee_emails: address, stream_ids: [] }));
      return { id: (await mailsTo(address))[0] ?? 0, isDone: hasMail(address) };
    },
  },
  {
    job: 'confirm-email',
    sweep: 'sweep-email-changes',
    hours: 1,
    async ask(owner) {
      const address = `other${owner.id}@elsewhere.example`;
      await succeed(owner.patch('/settings', { email: address }));
      return { id: await emailChangeOf(owner), isDone: hasMail(address) };
    },
  },
  {
    job: 'export-realm',
    sweep: 'sweep-exports',
    hours: 0,
    async ask(owner) {
      const id = await requestEverything(owner.realm);
      return { id, isDone: async () => (await exportRow(id)).status === 'succeeded' };
    },
  },
];

test.each(doings)('a job $job is about the organization that it names', async ({ job, ask }) => {
  const [{ owner }, other] = [await realm(), await realm()];
  const { id, isDone } = await ask(owner);
  await runOnDemand(job, id, { mailer: inMailbox() }, other.realm.id);
  expect(await isDone()).toBe(false);
  await runOnDemand(job, id, { mailer: inMailbox() }, owner.realm.id);
  expect(await isDone()).toBe(true);
});

test.each(doings)('a job $job of a version that named no organization is done', async ({ job, ask }) => {
  const { owner } = await realm();
  const { id, isDone } = await ask(owner);
  await runOnDemand(job, id, { mailer: inMailbox() });
  expect(await isDone()).toBe(true);
});

test.each(doings)('a job $job about what is no more does nothing', async ({ job }) => {
  const sent = (await mailbox.mails()).length;
  await runOnDemand(job, 2_000_000_000, { mailer: inMailbox() });
  expect(await mailbox.mails()).toHaveLength(sent);
});

test.each(doings)(
  '$sweep looks for jobs $job with their organizations',
  async ({ job, sweep, hours, ask }) => {
    const { owner } = await realm();
    const { id } = await ask(owner);
    const jobs: Job[] = [];
    await runRecurring(sweep, {
      queues: { enqueue: (one) => void jobs.push(one) },
      clock: { nowMs: () => Date.now() + hours * 3_600_000 },
    });
    expect(jobs).toContainEqual({ name: job, id, realmId: owner.realm.id });
  },
);

test.each(doings)(
  '$sweep asks a server about organizations that it holds alone',
  async ({ sweep, hours, ask }) => {
    const [asked, other] = [await realm(), await realm()];
    for (const { owner } of [asked, other]) await ask(owner);
    const jobs: Job[] = [];
    const { id } = asked.realm;
    await runRecurring(sweep, {
      ...(await sweptAlone(id)),
      queues: { enqueue: (one) => void jobs.push(one) },
      clock: { nowMs: () => Date.now() + hours * 3_600_000 },
    });
    expect(jobs.map(({ realmId }) => realmId)).toEqual([id]);
  },
);
