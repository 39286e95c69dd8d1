import { expect, test } from 'vitest';

import { queueControl } from './queue-control.ts';

test('a queue that another node takes over or deletes leaves this one, and its poll is answered', () => {
  const done: string[] = [];
  const control = queueControl(
    {
      loseHolder: (id) => void done.push(`lost ${id}`),
      forget: (id) => void done.push(`forgot ${id}`),
      restoreAll: () => void done.push('restored'),
    },
    (id) => void done.push(`displaced ${id}`),
  );
  control.onTaken('a');
  control.onEnded('b');
  control.onListening();
  expect(done).toEqual(['lost a', 'displaced a', 'forgot b', 'displaced b', 'restored']);
});
