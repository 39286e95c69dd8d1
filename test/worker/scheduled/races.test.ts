import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { describe, expect, test } from 'vitest';

import {
  type Person,
  type Reply,
  deliverDue,
  inSeconds,
  outcomeOf,
  performWhile,
  realm,
  succeed,
  untilSomebodyWaits,
} from '../../support/index.ts';

const schedule = async (by: Person, to: Person, content: string): Promise<number> =>
  (
    await succeed(
      by.post('/scheduled_messages', {
        type: 'direct',
        to: [to.id],
        content,
        scheduled_delivery_timestamp: inSeconds(3600),
      }),
    )
  ).scheduled_message_id;

const inTwoHours = () => new Date(Date.now() + 7_200_000);

const sentTo = async (person: Person): Promise<string[]> =>
  (await person.get('/messages', { anchor: 'newest', num_before: 100, apply_markdown: false })).messages.map(
    ({ content }: { content: string }) => content,
  );

describe('a scheduled message', () => {
  test('a scheduled message that is changed or deleted while it is sent was sent as it was', async () => {
    const { alice, bob, realm: home } = await realm();
    const [changed, deleted] = [await schedule(alice, bob, 'one'), await schedule(alice, bob, 'two')];
    const replies: Promise<Reply>[] = [];
    const delivering = {
      now: inTwoHours(),
      alertWords: model.alertWords.createAlertWordCache(),
      findPlan: () => undefined,
      max: 9,
      isLong: () => false,
    };
    await performWhile(
      home,
      (tx) => actions.scheduledMessages.deliver(tx, { realm: home, userId: alice.id, ...delivering }),
      async () => {
        replies.push(
          alice.ask('PATCH', `/scheduled_messages/${changed}`, { content: 'changed' }),
          alice.ask('DELETE', `/scheduled_messages/${deleted}`),
        );
        await untilSomebodyWaits('transactionid', replies.length);
      },
    );
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([400, 404]);
    expect(await sentTo(bob)).toEqual(['one', 'two']);
  });

  test('a scheduled message that is about to be sent while it is changed is not sent', async () => {
    const { alice, bob, realm: home } = await realm();
    const id = await schedule(alice, bob, 'one');
    const edit = { id, content: 'changed', dueAt: inSeconds(86_400) };
    let delivering: Promise<object> | undefined;
    await performWhile(
      home,
      (tx) => actions.scheduledMessages.edit(tx, { actor: alice.actor, ...edit, nowMs: Date.now() }),
      async () => {
        delivering = deliverDue(alice);
        await untilSomebodyWaits('transactionid', 1);
      },
    );
    expect(await delivering).toMatchObject({ sent: 0, failed: 0 });
    expect(await sentTo(bob)).toEqual([]);
    expect((await alice.get('/scheduled_messages')).scheduled_messages).toMatchObject([
      { content: 'changed' },
    ]);
  });

  test('has one outcome, whatever happens to it at once', async () => {
    const { alice, bob } = await realm();
    const numbers = Array.from({ length: 24 }, (_, number) => number);
    const ids: number[] = [];
    for (const number of numbers) ids.push(await schedule(alice, bob, `old ${number}`));
    const outcomes = numbers.map(async (number) =>
      outcomeOf(
        number % 2 === 0
          ? await alice.delete(`/scheduled_messages/${ids[number]}`)
          : await alice.patch(`/scheduled_messages/${ids[number]}`, { content: `new ${number}` }),
      ),
    );
    await Promise.all([deliverDue(alice), deliverDue(alice), deliverDue(alice), ...outcomes]);
    await deliverDue(alice);
    const expected: string[] = [];
    for (const [number, outcome] of (await Promise.all(outcomes)).entries()) {
      if (outcome !== 'ok') expected.push(`old ${number}`);
      else if (number % 2 === 1) expected.push(`new ${number}`);
    }
    expect((await sentTo(bob)).sort()).toEqual(expected.sort());
    expect((await alice.get('/scheduled_messages')).scheduled_messages).toEqual([]);
  });
});

test('a reminder is given once, whoever gives it', async () => {
  const { alice, bob } = await realm();
  const { id } = await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'x' });
  for (let count = 0; count < 5; count += 1) {
    await succeed(
      alice.post('/reminders', { message_id: id, scheduled_delivery_timestamp: inSeconds(3600) }),
    );
  }
  const phone = await alice.listen({ event_types: ['message', 'reminders'] });
  await Promise.all([deliverDue(alice), deliverDue(alice), deliverDue(alice)]);
  const kinds = (await phone.hears()).map(({ type }) => type);
  expect(kinds).toEqual(Array.from({ length: 5 }, () => ['message', 'reminders']).flat());
});
