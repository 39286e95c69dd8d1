import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { github } from './github.ts';

const repository = 'https://github.com/octo/tea-shop';
const pr = `[PR #43](${repository}/pull/43)`;
const issue = `[issue #42](${repository}/issues/42)`;
const commented = `[commented](${repository}/issues/42#issuecomment-9)`;

test('github tells of every sample by a topic and a text', () => {
  expect(toldOf(github)).toEqual({
    ping: ['tea-shop', `Events of [octo/tea-shop](${repository}) are sent here from now on.`],
    'ping of an organization': [
      'octo',
      'Events of [octo](https://github.com/octo) are sent here from now on.',
    ],
    push: [
      'tea-shop / main',
      `mona [pushed 2 commits](${repository}/compare/1a2b3c4d5e6f...6dcb09b5b578) to branch main.
* Warm the tea ([6dcb09b5b57](${repository}/commit/6dcb09b5b57875f334f61aebed695e2e4193db5e))
* Fix 'menu' ([1a2b3c4d5e6](${repository}/commit/1a2b3c4d5e6f708192a3b4c5d6e7f80912345678))`,
    ],
    'push of many': [
      'tea-shop / main',
      expect.stringMatching(
        /^mona \[force-pushed 25 commits\].*\n\* Step 0 .*\n\* Step 19 [^\n]*\n\* and 5 more$/s,
      ),
    ],
    'push that deletes': ['tea-shop / main', 'mona deleted the branch main.'],
    'branch created': ['tea-shop / warm', 'mona created the branch warm.'],
    'tag deleted': ['tea-shop / v1', 'mona deleted the tag v1.'],
    'issue opened': [
      'tea-shop / issue #42 The *green* tea is [cold] @**all**',
      `mona opened ${issue}: The *green* tea is (cold) @\u200B**all**
~~~~ quote
Warm it.

~~~
not a fence
~~~
~~~~`,
    ],
    'issue labeled': [
      'tea-shop / issue #42 The *green* tea is [cold] @**all**',
      `mona added the label bug to ${issue}: The *green* tea is (cold) @\u200B**all**`,
    ],
    'issue assigned': [
      'tea-shop / issue #42 The *green* tea is [cold] @**all**',
      `mona assigned hubot to ${issue}: The *green* tea is (cold) @\u200B**all**`,
    ],
    'issue closed': [
      'tea-shop / issue #42 The *green* tea is [cold] @**all**',
      `mona closed ${issue}: The *green* tea is (cold) @\u200B**all**`,
    ],
    'issue commented': [
      'tea-shop / issue #42 The *green* tea is [cold] @**all**',
      `mona ${commented} on ${issue}:\n~~~ quote\nAgreed.\n~~~`,
    ],
    'PR commented': [
      'tea-shop / PR #43 Warm the tea',
      `mona ${commented} on [PR #43](${repository}/issues/42):\n~~~ quote\nAgreed.\n~~~`,
    ],
    'PR opened': ['tea-shop / PR #43 Warm the tea', `mona opened ${pr} from warm to main: Warm the tea`],
    'PR updated': ['tea-shop / PR #43 Warm the tea', `mona updated ${pr}: Warm the tea`],
    'PR merged': ['tea-shop / PR #43 Warm the tea', `mona merged ${pr}: Warm the tea`],
    'review requested': [
      'tea-shop / PR #43 Warm the tea',
      `mona requested a review by hubot of ${pr}: Warm the tea`,
    ],
    'PR approved': [
      'tea-shop / PR #43 Warm the tea',
      `mona [approved](${repository}/pull/43#pullrequestreview-1) ${pr}`,
    ],
    'PR line commented': [
      'tea-shop / PR #43 Warm the tea',
      `mona [commented](${repository}/pull/43#discussion_r1) on ${pr}:\n~~~ quote\nAgreed.\n~~~`,
    ],
    'commit commented': [
      'tea-shop / 6dcb09b5b57',
      `mona ${commented} on 6dcb09b5b57:\n~~~ quote\nAgreed.\n~~~`,
    ],
    released: [
      'tea-shop / releases',
      `mona published the release [First cup](${repository}/releases/tag/v1)\n~~~ quote\nEnjoy.\n~~~`,
    ],
    'workflow failed': [
      'tea-shop / main',
      `:cross_mark: [CI](${repository}/actions/runs/7) on main: failure`,
    ],
    starred: ['tea-shop / stars', 'mona starred the repository.'],
    forked: [
      'tea-shop / forks',
      'mona forked the repository to [mona/tea-shop](https://github.com/mona/tea-shop).',
    ],
    'PR of a bot opened': [
      'tea-shop / PR #44 Bump kettle from 1.0.0 to 1.0.1',
      `dependabot(bot) opened [PR #44](https://github.com/octo/tea-shop/pull/44) from dependabot/npm/kettle-1.0.1 to main: Bump kettle from 1.0.0 to 1.0.1
~~~ quote
Bumps kettle.
~~~`,
    ],
    'discussion begun': [
      'tea-shop / discussion #8 Green or black?',
      `mona began [discussion #8](https://github.com/octo/tea-shop/discussions/8): Green or black?
~~~ quote
What do you think?
~~~`,
    ],
    'discussion commented': [
      'tea-shop / discussion #8 Green or black?',
      `mona [commented](https://github.com/octo/tea-shop/discussions/8#c1) on [discussion #8](https://github.com/octo/tea-shop/discussions/8):
~~~ quote
Agreed.
~~~`,
    ],
    'wiki changed': [
      'tea-shop / wiki',
      `mona changed the wiki.
* edited [Kinds](https://github.com/octo/tea-shop/wiki/Kinds)`,
    ],
    'milestone closed': [
      'tea-shop / milestones',
      'mona closed the milestone [Hot](https://github.com/octo/tea-shop/milestone/1).',
    ],
    'collaborator added': ['tea-shop / collaborators', 'mona added hubot as a collaborator.'],
    'repository archived': ['tea-shop', 'mona archived [octo/tea-shop](https://github.com/octo/tea-shop).'],
    'deployment succeeded': [
      'tea-shop / deployments',
      '[Deployment](https://tea.example/) of main to production :check: succeeded.',
    ],
    'Dependabot alert': [
      'tea-shop / alerts',
      ':warning: New: [Dependabot alert #5](https://github.com/octo/tea-shop/security/dependabot/5): kettle in package-lock.json: Steam escapes (high). It is mended in 1.0.1.',
    ],
    'code scanning alert': [
      'tea-shop / alerts',
      ':check: Fixed: [Code scanning alert #6](https://github.com/octo/tea-shop/security/code-scanning/6): Spilled tea (warning), found by CodeQL.',
    ],
    'secret scanning alert': [
      'tea-shop / alerts',
      ':warning: New: [Secret scanning alert #7](https://github.com/octo/tea-shop/security/secret-scanning/7): Tea key.',
    ],
    'advisory published': [
      'tea-shop / alerts',
      ':warning: Advisory [GHSA-xxxx-xxxx-xxxx](https://github.com/octo/tea-shop/security/advisories/GHSA-xxxx-xxxx-xxxx) was published: Steam escapes (high)',
    ],
  });
});
