import type { Job } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  type Person,
  deliverDue,
  inSeconds,
  realm,
  runRecurring,
  scheduleOf,
  succeed,
  tell,
} from '../../support/index.ts';

/** The jobs that a sweep enqueues at that time, of these people: other tests have theirs. */
async function sweptAt(people: Person[], nowMs: number): Promise<Job[]> {
  const jobs: Job[] = [];
  await runRecurring('sweep-due', {
    clock: { nowMs: () => nowMs },
    queues: { enqueue: (job) => void jobs.push(job) },
  });
  const ids = people.map(({ id }) => id);
  return jobs.filter(({ id }) => ids.includes(id));
}

const schedule = (by: Person, at: number) =>
  succeed(
    by.post('/scheduled_messages', {
      type: 'direct',
      to: [by.id],
      content: 'x',
      scheduled_delivery_timestamp: at,
    }),
  );

describe('the sweep', () => {
  test('enqueues a job per user for what is overdue, and one for each moment that is near', async () => {
    const { alice, bob, carol } = await realm();
    const message_id = await tell(bob, [carol]);
    const [first, second] = [inSeconds(3600), inSeconds(3610)];
    for (const at of [first, first, second]) await schedule(alice, at);
    await schedule(bob, second);
    await succeed(carol.post('/reminders', { message_id, scheduled_delivery_timestamp: second }));
    const people = [alice, bob, carol];
    const job = ({ id, realm: { id: realmId } }: Person, at: number) => ({
      name: 'deliver-due',
      id,
      realmId,
      dueMs: at * 1000,
    });

    expect(await sweptAt(people, (first - 60) * 1000)).toEqual([]);
    const near = await sweptAt(people, (first - 2) * 1000);
    expect(near).toHaveLength(4);
    expect(near).toEqual(
      expect.arrayContaining([job(alice, first), job(alice, second), job(bob, second), job(carol, second)]),
    );
    const overdue = await sweptAt(people, (second + 900) * 1000);
    expect(overdue).toHaveLength(3);
    expect(overdue).toEqual(
      expect.arrayContaining([job(alice, first), job(bob, second), job(carol, second)]),
    );
    for (const person of people) await deliverDue(person);
    expect(await sweptAt(people, (second + 900) * 1000)).toEqual([]);
  });

  test('ends schedules of an organization that was deactivated', async () => {
    const { owner, bob } = await realm();
    const message_id = await tell(bob, [owner]);
    await schedule(owner, inSeconds(3600));
    await succeed(owner.post('/reminders', { message_id, scheduled_delivery_timestamp: inSeconds(3600) }));
    await succeed(owner.post('/realm/deactivate'));
    expect(await sweptAt([owner], Date.now() + 7_200_000)).toEqual([]);
    expect(await deliverDue(owner)).toEqual({});
    expect(await scheduleOf(owner)).toEqual([
      { isSent: false, failure: 'The organization was deactivated.' },
    ]);
  });
});
