import { createLogger } from '@parley/kit';
import { expect, test } from 'vitest';

import { createRoomMaker } from './room-maker.ts';

test('room is made once for all who want it at a time, in each realm, and again after a failure', async () => {
  const asked: number[] = [];
  let settle: (how: 'made' | 'failed') => void = () => {};
  const wantRoom = createRoomMaker({
    append(realmId) {
      asked.push(realmId);
      return new Promise<void>((resolve, reject) => {
        settle = (how) => (how === 'made' ? resolve() : reject(new Error('Postgres is away.')));
      });
    },
    logger: createLogger({ role: 'test', level: 'silent' }),
  });
  const turns = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  wantRoom(2);
  wantRoom(1);
  wantRoom(1);
  settle('failed');
  await turns();
  wantRoom(1);
  settle('made');
  await turns();
  wantRoom(1);
  expect(asked).toEqual([2, 1, 1, 1]);
});
