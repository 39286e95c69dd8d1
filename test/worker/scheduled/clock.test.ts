import { describe, expect, test, vi } from 'vitest';

import { type Listener, type Person, inSeconds, realm, startBeside, succeed } from '../../support/index.ts';

/**
 * Schedules a note for a moment that comes soon, by a node whose jobs only this test's worker runs. What is soon depends on
 * the machine: a moment that is over when the node looks is refused, and a later one is tried.
 */
const scheduleSoon = async (
  by: Person,
  content: string,
  side: { port: number },
  seconds = 2,
): Promise<void> => {
  const note = { type: 'direct', to: [by.id], content, scheduled_delivery_timestamp: inSeconds(seconds) };
  const { body } = await by.ask('POST', '/scheduled_messages', note, side);
  const isOver = body.result === 'error' && seconds < 64;
  if (isOver) return await scheduleSoon(by, content, side, seconds * 2);
  await succeed(Promise.resolve(body));
};

const hearsMessage = (listener: Listener) =>
  vi.waitUntil(async () => (await listener.hears()).find(({ type }) => type === 'message'), {
    timeout: 60_000,
    interval: 20,
  });

describe('a message that is due soon', () => {
  test('is sent by a worker that is asked for it, not before its time', async () => {
    const { alice } = await realm();
    await using side = await startBeside();
    const phone = await alice.listen();
    await side.work();
    await scheduleSoon(alice, 'soon', side.differing);
    const [{ scheduled_delivery_timestamp: due }] = (await alice.get('/scheduled_messages'))
      .scheduled_messages;
    const { message } = (await hearsMessage(phone)) ?? {};
    expect(message).toMatchObject({ content: 'soon' });
    expect(message.timestamp).toBeGreaterThanOrEqual(due);
  });

  test('is found by the sweep when Redis has lost everything, and once more while it works', async () => {
    const { alice } = await realm();
    await using side = await startBeside();
    const phone = await alice.listen();
    await scheduleSoon(alice, 'lost', side.differing);
    await side.redis.flushdb();
    await side.work('sweep-due');
    expect((await hearsMessage(phone))?.message).toMatchObject({ content: 'lost' });

    await scheduleSoon(alice, 'lost again', side.differing);
    await side.redis.flushdb();
    expect((await hearsMessage(phone))?.message).toMatchObject({ content: 'lost again' });
  });
});
