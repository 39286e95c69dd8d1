import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { actions, exercised } from '../events/actions/index.ts';

const root = fileURLToPath(new URL('../../shared/domain/src/', import.meta.url));

/** Files of the domain that hand events to the log: `<noun>/<verb>`. */
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.includes('/') && file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .filter((file) => /\b(ActionResult|Draft)\b|\bevents[:,.]/.test(readFileSync(root + file, 'utf8')))
  .map((file) => file.slice(0, -'.ts'.length));

describe('every action of the domain', () => {
  test('is known', () => {
    expect(files.sort()).toEqual(Object.keys(exercised).sort());
  });

  test.each(Object.entries(exercised))('%s is followed by a client in the law of events', (_, name) => {
    expect(name === null || name in actions).toBe(true);
  });
});
