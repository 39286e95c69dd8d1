import { deriveApiKey } from '@parley/http';
import { createLogger } from '@parley/kit';
import { expect, test } from 'vitest';

import { entryOf } from '../core/fixtures.test-support.ts';
import { createLogEntryParser } from './log-entry-parser.ts';

test('entries are read by the families of the contract, with keys of this node; others are logged', () => {
  const secret = 'a secret that only tests know, 32 characters and more';
  const logger = createLogger({ role: 'test', level: 'silent' });
  const errors: unknown[] = [];
  logger.error = (...args: unknown[]) => void errors.push(args);
  const parser = createLogEntryParser({
    logger,
    secrets: [secret, 'another'],
    audiences: { members: (id) => [id] },
  });
  const read = parser.logged(entryOf(1, { users: [10] }, { type: 'alert_words', alert_words: [] }));
  expect(read.family?.type).toBe('alert_words');
  expect(read.values.apiKeyOf({ id: 10, keyGeneration: 2 })).toBe(deriveApiKey(secret, 10, 2));
  expect([...read.values.membersOf(7)]).toEqual([7]);
  expect(errors).toEqual([]);
  expect(parser.logged(entryOf(2, { users: [10] }, { type: 'zeal' })).family).toBeNull();
  expect(errors).toEqual([[{ seq: 2, type: 'zeal', reason: 'unknown type' }, 'a log entry cannot be read']]);
});
