import { describe, expect, test } from 'vitest';

import { deliver } from '../../support/index.ts';
import { payloads } from './payloads/github.ts';
import { webhookRealm } from './webhook-realm.ts';

const repository = 'https://github.com/octo/tea-shop';
const pr = `[PR #43](${repository}/pull/43)`;
const issue = `[issue #42](${repository}/issues/42)`;
const commented = `[commented](${repository}/issues/42#issuecomment-9)`;

/** Topic and content of the message that tells of each. */
const told: Record<keyof typeof payloads, [string, string]> = {
  ping: ['tea-shop', `Events of [octo/tea-shop](${repository}) are sent here from now on.`],
  'ping of an organization': ['octo', 'Events of [octo](https://github.com/octo) are sent here from now on.'],
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
  'workflow failed': ['tea-shop / main', `:cross_mark: [CI](${repository}/actions/runs/7) on main: failure`],
  starred: ['tea-shop / stars', 'mona starred the repository.'],
  forked: [
    'tea-shop / forks',
    'mona forked the repository to [mona/tea-shop](https://github.com/mona/tea-shop).',
  ],
};

describe('GitHub', () => {
  test('tells of what happens in a repository', async () => {
    const { hook, newest } = await webhookRealm();
    for (const [name, [event, payload]] of Object.entries(payloads)) {
      const { status } = await deliver(hook, 'github', {
        payload,
        headers: { 'X-GitHub-Event': event },
        query: { stream: 'builds' },
      });
      expect(status, name).toBe(200);
      const { subject, content } = await newest();
      // Safe: both have the same keys.
      const [topic, text] = told[name as keyof typeof told];
      const cut = topic.length > 60 ? `${topic.slice(0, 57)}...` : topic;
      expect([subject, content], name).toEqual([cut, text]);
    }
  });

  test('says what it does not tell of', async () => {
    const { hook, newest } = await webhookRealm();
    const before = await newest();
    const send = async (event: string, payload: object) =>
      (await deliver(hook, 'github', { payload, headers: { 'x-github-event': event } })).body;
    const unsupported = {
      result: 'success',
      msg: '',
      code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
      webhook_name: 'github',
    };
    const [, pull] = payloads['PR opened'];
    expect(await send('watch', {})).toEqual({ ...unsupported, event_type: 'watch' });
    expect(await send('constructor', {})).toEqual({ ...unsupported, event_type: 'constructor' });
    expect(await send('pull_request', { ...pull, action: 'auto_merge_enabled' })).toEqual({
      ...unsupported,
      event_type: 'pull_request:auto_merge_enabled',
    });
    expect(await newest()).toEqual(before);
  });

  test('needs its header, and its payloads', async () => {
    const { hook } = await webhookRealm();
    const [, payload] = payloads.push;
    expect((await deliver(hook, 'github', { payload })).body).toMatchObject({
      code: 'MISSING_HTTP_EVENT_HEADER',
      header: 'X-GitHub-Event',
    });
    const headers = { 'X-GitHub-Event': 'push' };
    expect(
      (await deliver(hook, 'github', { payload: { ...payload, commits: [1] }, headers })).body,
    ).toMatchObject({
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      webhook_name: 'github',
    });
    const form = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await deliver(hook, 'github', { payload: form, headers: { ...headers, ...type } })).status).toBe(
      200,
    );
  });
});
