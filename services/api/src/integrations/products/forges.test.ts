import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { bitbucket } from './bitbucket.ts';
import { gitea } from './gitea.ts';

test('gitea tells of every sample by a topic and a text', () => {
  expect(toldOf(gitea)).toEqual({
    push: [
      'shop / main',
      `mona [pushed 1 commit](https://git.example/tea/shop/compare/28e1879d...bffeb742) to branch main.
* Warm the tea ([bffeb742240](https://git.example/tea/shop/commit/bffeb74224043ba2feb48d137756c8a9331c449a))`,
    ],
    'tag created': ['shop / v1', 'mona created the tag v1.'],
    'branch deleted': ['shop / warm', 'mona deleted the branch warm.'],
    'issue opened': [
      'shop / issue #2 The tea is cold',
      `mona opened [issue #2](https://git.example/tea/shop/issues/2): The tea is cold
~~~ quote
Warm it.
~~~`,
    ],
    'issue labeled': [
      'shop / issue #2 The tea is cold',
      'mona changed the labels of [issue #2](https://git.example/tea/shop/issues/2): The tea is cold',
    ],
    'issue commented': [
      'shop / issue #2 The tea is cold',
      `mona [commented](https://git.example/tea/shop/issues/2#issuecomment-9) on [issue #2](https://git.example/tea/shop/issues/2):
~~~ quote
Agreed.
~~~`,
    ],
    'PR opened': [
      'shop / PR #3 Warm the tea',
      `mona opened [PR #3](https://git.example/tea/shop/pulls/3) from warm to main: Warm the tea
~~~ quote
As it says.
~~~`,
    ],
    'PR updated': [
      'shop / PR #3 Warm the tea',
      'mona updated [PR #3](https://git.example/tea/shop/pulls/3): Warm the tea',
    ],
    'PR merged': [
      'shop / PR #3 Warm the tea',
      'mona merged [PR #3](https://git.example/tea/shop/pulls/3): Warm the tea',
    ],
    'PR approved': [
      'shop / PR #3 Warm the tea',
      `mona approved [PR #3](https://git.example/tea/shop/pulls/3)
~~~ quote
Well brewed.
~~~`,
    ],
    'PR rejected': [
      'shop / PR #3 Warm the tea',
      `mona requested changes to [PR #3](https://git.example/tea/shop/pulls/3)
~~~ quote
Well brewed.
~~~`,
    ],
    'PR reviewed': [
      'shop / PR #3 Warm the tea',
      `mona reviewed [PR #3](https://git.example/tea/shop/pulls/3)
~~~ quote
Well brewed.
~~~`,
    ],
    released: [
      'shop / releases',
      `mona published the release [First cup](https://git.example/tea/shop/releases/tag/v1)
~~~ quote
Enjoy.
~~~`,
    ],
    forked: ['shop / forks', 'mona forked the repository to [mona/shop](https://git.example/mona/shop).'],
    'repository created': ['shop', 'mona created [tea/shop](https://git.example/tea/shop).'],
    'wiki edited': [
      'shop / wiki',
      'mona edited the page [Kinds of tea](https://git.example/tea/shop/wiki/Kinds%20of%20tea).',
    ],
  });
});

test('bitbucket tells of every sample by a topic and a text', () => {
  expect(toldOf(bitbucket)).toEqual({
    push: [
      'shop / main',
      `Mona [pushed 1+ commit](https://bitbucket.org/tea/shop/branches/compare/709d658d..1e65c05c) to branch main.
* Warm the tea ([709d658dc5b](https://bitbucket.org/tea/shop/commits/709d658dc5b6d6afcd46049c2f332ee3f515a67d))`,
    ],
    'new branch': [
      'shop / main',
      `Mona [pushed 1 commit](https://bitbucket.org/tea/shop/branches/compare/709d658d..1e65c05c) to the new branch main.
* Warm the tea ([709d658dc5b](https://bitbucket.org/tea/shop/commits/709d658dc5b6d6afcd46049c2f332ee3f515a67d))`,
    ],
    'branch deleted, and a tag pushed': [
      'shop',
      `Mona deleted the branch main.

Mona pushed the tag v1.`,
    ],
    forked: ['shop / forks', 'Mona forked the repository to [mona/shop](https://bitbucket.org/mona/shop).'],
    'commit commented': [
      'shop / 709d658dc5b',
      `Mona [commented](https://bitbucket.org/tea/shop/commits/709d658dc5b6d6afcd46049c2f332ee3f515a67d#comment-9) on 709d658dc5b:
~~~ quote
Agreed.
~~~`,
    ],
    'build succeeded at once': [
      'shop / main',
      '[Unit tests](https://ci.example/1) on main :check: succeeded.',
    ],
    'build failed': ['shop / main', '[Unit tests](https://ci.example/1) on main :cross_mark: failed.'],
    'PR opened': [
      'shop / PR #3 Warm the tea',
      `Mona opened [PR #3](https://bitbucket.org/tea/shop/pull-requests/3) from warm to main: Warm the tea
~~~ quote
As it says.
~~~`,
    ],
    'PR updated': [
      'shop / PR #3 Warm the tea',
      'Mona updated [PR #3](https://bitbucket.org/tea/shop/pull-requests/3): Warm the tea',
    ],
    'PR approved': [
      'shop / PR #3 Warm the tea',
      'Mona approved [PR #3](https://bitbucket.org/tea/shop/pull-requests/3): Warm the tea',
    ],
    'PR approval withdrawn': [
      'shop / PR #3 Warm the tea',
      'Mona withdrew the approval of [PR #3](https://bitbucket.org/tea/shop/pull-requests/3): Warm the tea',
    ],
    'changes requested': [
      'shop / PR #3 Warm the tea',
      'Mona requested changes to [PR #3](https://bitbucket.org/tea/shop/pull-requests/3): Warm the tea',
    ],
    'changes no longer requested': [
      'shop / PR #3 Warm the tea',
      'Mona withdrew the request for changes to [PR #3](https://bitbucket.org/tea/shop/pull-requests/3): Warm the tea',
    ],
    'PR merged': [
      'shop / PR #3 Warm the tea',
      'Mona merged [PR #3](https://bitbucket.org/tea/shop/pull-requests/3): Warm the tea',
    ],
    'PR declined': [
      'shop / PR #3 Warm the tea',
      'Mona declined [PR #3](https://bitbucket.org/tea/shop/pull-requests/3): Warm the tea',
    ],
    'PR commented': [
      'shop / PR #3 Warm the tea',
      `Mona [commented](https://bitbucket.org/tea/shop/pull-requests/3#comment-9) on [PR #3](https://bitbucket.org/tea/shop/pull-requests/3):
~~~ quote
Agreed.
~~~`,
    ],
    'PR comment edited': [
      'shop / PR #3 Warm the tea',
      `Mona [edited a comment](https://bitbucket.org/tea/shop/pull-requests/3#comment-9) on [PR #3](https://bitbucket.org/tea/shop/pull-requests/3):
~~~ quote
Agreed.
~~~`,
    ],
    'PR comment deleted': [
      'shop / PR #3 Warm the tea',
      'Mona [deleted a comment](https://bitbucket.org/tea/shop/pull-requests/3#comment-9) on [PR #3](https://bitbucket.org/tea/shop/pull-requests/3).',
    ],
    'issue opened': [
      'shop / issue #2 The tea is cold',
      `Mona opened [issue #2](https://bitbucket.org/tea/shop/issues/2): The tea is cold
~~~ quote
Warm it.
~~~`,
    ],
    'issue updated': [
      'shop / issue #2 The tea is cold',
      'Mona updated [issue #2](https://bitbucket.org/tea/shop/issues/2): The tea is cold',
    ],
    'issue commented': [
      'shop / issue #2 The tea is cold',
      `Mona [commented](https://bitbucket.org/tea/shop/issues/2#comment-9) on [issue #2](https://bitbucket.org/tea/shop/issues/2):
~~~ quote
Agreed.
~~~`,
    ],
  });
});
