import { expect, test } from 'vitest';

import { peopleText } from '../../strings/people.ts';
import { sectionsOf } from './sections.ts';

const people = [1, 2, 3, 4].map((user_id) => ({ user_id, full_name: `Person ${user_id}` }));
const shown = (here: number[], members: number[]) =>
  sectionsOf(people, new Set(here), new Set(members)).map((section) => [
    section.title,
    section.people.map(({ user_id }) => user_id),
  ]);

test('people stand once, those of the conversation before those of its channel and all others', () => {
  expect(shown([3], [1, 3])).toEqual([
    [peopleText.here, [3]],
    [peopleText.inChannel, [1]],
    [peopleText.others, [2, 4]],
  ]);
});

test('a part of the people without anybody is not shown', () => {
  expect(shown([], [])).toEqual([[peopleText.others, [1, 2, 3, 4]]]);
  expect(shown([], [1, 2, 3, 4])).toEqual([[peopleText.inChannel, [1, 2, 3, 4]]]);
});
