import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import * as room from '@parley/actions';
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

/** The actions that services can reach, each by its place, with the name that it bears. */
const placed = Object.entries(room).flatMap(([noun, verbs]) =>
  Object.entries(verbs).flatMap(([verb, value]: [string, unknown]) =>
    typeof value === 'function' && 'actionName' in value ? [[`${noun}.${verb}`, value.actionName]] : [],
  ),
);

describe('the name of an action', () => {
  test('is its place, so that no two have one name', () => {
    expect(placed.length).toBeGreaterThan(100);
    expect(placed.filter(([place, name]) => place !== name)).toEqual([]);
  });

  test('is given to none that services cannot reach', () => {
    const declared = readdirSync(`${root}actions/src`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(`${root}actions/src/${file}`, 'utf8').matchAll(/\.actionName = '([\w.]+)'/g),
      ])
      .map(([, name]) => name);
    expect(new Set(declared)).toEqual(new Set(placed.map(([, name]) => name)));
    expect(declared).toHaveLength(placed.length);
  });
});

describe('every file that makes events', () => {
  test('is known', () => {
    expect(files.sort()).toEqual(Object.keys(exercised).sort());
  });

  test.each(Object.entries(exercised))('%s is followed by a client in the law of events', (_, name) => {
    expect(name === null || name in actions).toBe(true);
  });
});
