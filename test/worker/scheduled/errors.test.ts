import { describe, expect, test } from 'vitest';

import {
  type Person,
  breakTopic,
  createChannel,
  deliverDue,
  inSeconds,
  mendTopic,
  realm,
  succeed,
} from '../../support/index.ts';

const schedule = (by: Person, to: number, topic: string, content: string) =>
  succeed(
    by.post('/scheduled_messages', {
      type: 'channel',
      to,
      topic,
      content,
      scheduled_delivery_timestamp: inSeconds(3600),
    }),
  );

/** Three messages, of which the second is to a topic of its own. */
async function scheduleThree(topic: string) {
  const { alice } = await realm();
  const plans = await createChannel(alice, 'plans');
  for (const [content, to] of [
    ['one', 't'],
    ['two', topic],
    ['three', 't'],
  ] as const) {
    await schedule(alice, plans, to, content);
  }
  return alice;
}

const statesOf = async (by: Person) =>
  (await by.get('/scheduled_messages')).scheduled_messages.map(
    ({ content, failed }: { content: string; failed: boolean }) => [content, failed],
  );

describe('a scheduled message', () => {
  test('a scheduled message that meets an unforeseen error has failed, and keeps none of the others back', async () => {
    const alice = await scheduleThree('broken');
    await breakTopic('broken', 'P0001');
    const phone = await alice.listen({ event_types: ['message'] });
    expect(await deliverDue(alice)).toEqual({ sent: 2, failed: 1 });
    expect(await statesOf(alice)).toEqual([['two', true]]);
    const [notice] = (await phone.hears()).filter(({ message }) => message.type === 'private');
    expect(notice?.message.content).toContain('Something went wrong on the server.');
    expect(notice?.message.content, 'nothing of the inside').not.toContain('on purpose');
  });

  test('waits, with those behind it, until Postgres can be asked again', async () => {
    const alice = await scheduleThree('away');
    // A statement took too long.
    await breakTopic('away', '57014');
    await expect(deliverDue(alice)).rejects.toThrow('Failed query');
    expect(await statesOf(alice)).toEqual([
      ['two', false],
      ['three', false],
    ]);
    await mendTopic('away');
    expect(await deliverDue(alice)).toEqual({ sent: 2, failed: 0 });
  });
});
