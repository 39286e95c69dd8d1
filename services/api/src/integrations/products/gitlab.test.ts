import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { gitlab } from './gitlab.ts';

const url = 'https://gitlab.example/tea/shop/-';
const id = 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7';
const commented = `Mona [commented](${url}/merge_requests/1#note_1244) on`;
const quoted = '~~~ quote\nAgreed.\n~~~';

test('gitlab tells of every sample by a topic and a text', () => {
  expect(toldOf(gitlab)).toEqual({
    push: [
      'Tea Shop / main',
      `Mona [pushed 1 commit](${url}/compare/c5feabde2d8cd023215af4d2ceeb7a64839fc428...${id}) to branch main.
* Warm the tea ([da1560886d4](${url}/commit/${id}))`,
    ],
    'push of a new branch': [
      'Tea Shop / warm',
      `Mona pushed 1 commit to the new branch warm.\n* Warm the tea ([da1560886d4](${url}/commit/${id}))`,
    ],
    'branch deleted': ['Tea Shop / main', 'Mona deleted the branch main.'],
    'tag pushed': ['Tea Shop / v1', 'Mona pushed the tag v1.'],
    'tag deleted': ['Tea Shop / v1', 'Mona deleted the tag v1.'],
    'issue opened': [
      'Tea Shop / issue #23 The tea is cold',
      `Mona opened [issue #23](${url}/issues/23): The tea is cold\n~~~ quote\nWarm it.\n~~~`,
    ],
    'issue closed': [
      'Tea Shop / issue #23 The tea is cold',
      `Mona closed [issue #23](${url}/issues/23): The tea is cold`,
    ],
    'MR merged': [
      'Tea Shop / MR !1 Warm the tea',
      `Mona merged [MR !1](${url}/merge_requests/1): Warm the tea`,
    ],
    'MR commented': ['Tea Shop / MR !1 Warm the tea', `${commented} MR !1:\n${quoted}`],
    'issue commented': ['Tea Shop / issue #23 The tea is cold', `${commented} issue #23:\n${quoted}`],
    'confidential issue commented': [
      'Tea Shop / issue #23 The tea is cold',
      `${commented} issue #23:\n${quoted}`,
    ],
    'commit commented': [
      'Tea Shop / da1560886d4',
      `${commented} [da1560886d4](${url}/commit/${id}):\n${quoted}`,
    ],
    'pipeline failed': [
      'Tea Shop / main',
      `[Pipeline 31](${url}/pipelines/31) on main :cross_mark: failed.\n* unit: failed\n* image: skipped`,
    ],
    'job succeeded': ['Tea Shop / main', `Job [unit](${url}/jobs/380) on main :check: succeeded.`],
    'wiki page created': ['Tea Shop / wiki', `Mona created the page [Kinds of tea](${url}/wikis/kinds).`],
    released: [
      'Tea Shop / releases',
      `The release [First cup](${url}/releases/v1) was published.\n~~~ quote\nEnjoy.\n~~~`,
    ],
  });
});
