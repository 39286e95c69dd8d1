import { setImmediate as allElse } from 'node:timers/promises';

import { Hono } from 'hono';
import { expect, test } from 'vitest';

import { holdRefusals } from './hold-refusals.ts';

/** A hold of at most two, whose time passes when told, and the replies that came through it. */
function createHold() {
  const waiting: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => waiting.push(resolve));
  const app = new Hono();
  app.use(holdRefusals({ wait, heldMax: 2 }));
  app.get('/:status', (c) => new Response(null, { status: Number(c.req.param('status')) }));
  const came: number[] = [];
  return {
    came,
    reply: async (status: number) => {
      void Promise.resolve(app.request(`/${status}`)).then((reply) => came.push(reply.status));
      await allElse();
    },
    passTime: async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await allElse();
    },
  };
}

test('somebody who asks too much waits for the refusal, and nobody else does', async () => {
  const { came, reply, passTime } = createHold();
  for (const status of [429, 401, 200]) await reply(status);
  expect(came).toEqual([401, 200]);
  await passTime();
  expect(came).toEqual([401, 200, 429]);
});

test('so many are held at once, and the others are answered', async () => {
  const { came, reply, passTime } = createHold();
  for (let time = 0; time < 3; time += 1) await reply(429);
  expect(came).toEqual([429]);
  await passTime();
  await reply(429);
  expect(came, 'there is room again').toHaveLength(3);
  await passTime();
  expect(came).toHaveLength(4);
});
