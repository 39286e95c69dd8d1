import { expect, test } from 'vitest';

import { noChanges } from '../state/changes.ts';
import { settle } from '../state/settle.ts';
import { emptyState, messageOf } from '../state/state.test-support.ts';
import { answer } from './answer.ts';

/** A channel as it is registered, as far as it matters here. */
const channel = (stream_id: number, invite_only: boolean) => ({
  stream_id,
  invite_only,
  is_web_public: false,
});

test('what is answered of a private channel that one is not in is not held, as at the start', async () => {
  const state = emptyState({ streams: [channel(1, false), channel(2, true)] } as never);
  const changes = noChanges();
  for (const id of [1, 2]) changes.questions.channels.add(id);
  let asked = 0;
  await answer(state, changes, () => Promise.resolve([messageOf((asked += 1) + 10, { channel: asked })]));
  settle(state, changes);
  expect([...state.messages.keys()]).toEqual([11]);
});
