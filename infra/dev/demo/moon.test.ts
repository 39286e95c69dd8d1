import { expect, test } from 'vitest';

import { describeMoon } from './moon.ts';

// Dates of phases: the almanac of the U.S. Naval Observatory.
test.each([
  ['2024-04-08T18:21Z', ':new_moon:', '(0 % lit)'],
  ['2024-04-15T19:13Z', ':first_quarter_moon:', ''],
  ['2024-04-23T23:49Z', ':full_moon:', '(100 % lit)'],
  ['2024-05-01T11:27Z', ':last_quarter_moon:', ''],
])('the bot knows the phase of the Moon at %s: %s', (time, emoji, lit) => {
  const said = describeMoon(Date.parse(time));
  expect(said.startsWith(emoji)).toBe(true);
  expect(said).toContain(lit);
});
