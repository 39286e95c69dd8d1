import { integrations } from '@parley/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Json, deliver } from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';
import { webhookRealm } from './webhook-realm.ts';

const deliveries = integrations.flatMap(({ name, event: by, samples }) =>
  Object.values(samples).map(([event, payload]) => {
    const headers = typeof by === 'function' ? {} : { [by.header]: event };
    return [name, headers, payload] as const;
  }),
);

/** Every place in a JSON value, as the keys that lead there. */
function placesIn(value: Json, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, one]) => placesIn(one, [...path, key]))];
}

/** A copy of a JSON value with another value at a place; undefined leaves it out. */
function replaced(value: Json, [key, ...rest]: string[], by: unknown): Json {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const wrong = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    0,
    -1,
    1e300,
    true,
    '',
    ' ',
    '\0',
    '\ud800',
    '\ufffe',
    '/poll x\ny',
    '@**all**',
  ),
  fc.constantFrom(
    'x'.repeat(20_000),
    '['.repeat(3000),
    '`'.repeat(3000),
    'a\n'.repeat(5000),
    'javascript:alert(1)',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

test('whatever is wrong with a payload, the answer is a documented one', async () => {
  const { hook } = await webhookRealm();
  const changes = fc.record({
    delivery: fc.constantFrom(...deliveries),
    changes: fc.array(fc.record({ place: fc.nat(), by: wrong }), { minLength: 1, maxLength: 3 }),
  });
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(changes, async ({ delivery: [name, headers, original], changes }) => {
      let payload: Json = original;
      for (const { place, by } of changes) {
        const places = placesIn(payload);
        payload = replaced(payload, places[place % places.length] ?? [], by);
      }
      const text = JSON.stringify(payload) ?? '';
      const { status } = await deliver(hook, name, { payload: text, headers, query: { stream: 'builds' } });
      expect([200, 400]).toContain(status);
      statuses.add(status);
    }),
    { numRuns: isNight ? 4000 : 100, endOnFailure: true },
  );
  expect(statuses).toEqual(new Set([200, 400]));
});
