import { MigrationError } from '@parley/db';
import { expect, test } from 'vitest';

import { describeFailure } from './describe-failure.ts';

test('a migration that ended early says itself why, whatever Postgres answered', () => {
  const cause = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  const failure = new MigrationError('0046 did not get its locks.', { cause });
  expect(describeFailure(failure)).toEqual({ error: '0046 did not get its locks.' });
});
