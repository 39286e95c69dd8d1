import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { actions, exercised } from '../events/actions/index.ts';

const root = fileURLToPath(new URL('../../shared/', import.meta.url));

/** Files that make events for the log: `<room>/<noun>/<file>`. */
const files = ['model', 'actions'].flatMap((room) =>
  readdirSync(`${root}${room}/src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('/') && file.endsWith('.ts') && !/(\.test|index)\.ts$/.test(file))
    .filter((file) =>
      /\b(ActionResult|PendingEvent)\b|\bevents[:,.]/.test(
        readFileSync(`${root}${room}/src/${file}`, 'utf8'),
      ),
    )
    .map((file) => `${room}/${file.slice(0, -'.ts'.length)}`),
);

describe('every file that makes events', () => {
  test('is known', () => {
    expect(files.sort()).toEqual(Object.keys(exercised).sort());
  });

  test.each(Object.entries(exercised))('%s is followed by a client in the law of events', (_, name) => {
    expect(name === null || name in actions).toBe(true);
  });
});
