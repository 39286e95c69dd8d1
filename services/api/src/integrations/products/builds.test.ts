import { expect, test } from 'vitest';

import { toldOf } from '../sample.ts';
import { azureDevops } from './azure-devops.ts';
import { buildkite } from './buildkite.ts';
import { circleci } from './circleci.ts';
import { jenkins } from './jenkins.ts';
import { netlify } from './netlify.ts';
import { travis } from './travis.ts';

test('azureDevops tells of every sample by a topic and a text', () => {
  expect(toldOf(azureDevops)).toEqual({
    'git.push': [
      'shop',
      'Mona pushed updates to shop:main ([open](https://dev.azure.com/tea/shop/_git/shop))',
    ],
    'git.pullrequest.created': [
      'shop / PR 3 Warm the tea',
      'Mona created a new pull request ([open](https://dev.azure.com/tea/shop/_git/shop/pullrequest/3))',
    ],
    'git.pullrequest.updated': [
      'shop / PR 3 Warm the tea',
      'Mona marked the pull request as completed ([open](https://dev.azure.com/tea/shop/_git/shop/pullrequest/3))',
    ],
    'git.pullrequest.merged': [
      'shop / PR 3 Warm the tea',
      'Mona has created a pull request merge commit ([open](https://dev.azure.com/tea/shop/_git/shop/pullrequest/3))',
    ],
    'ms.vss-code.git-pullrequest-comment-event': [
      'shop / PR 3 Warm the tea',
      `Mona has commented on a pull request
~~~ quote
Agreed.
~~~`,
    ],
    'workitem.created': [
      '#5 Boil water',
      'Task #5 (Boil water) created by Mona ([open](https://dev.azure.com/tea/shop/_workitems/edit/5))',
    ],
    'workitem.updated': ['#5 Boil water', 'Task #5 (Boil water) updated by Mona'],
    'workitem.commented': [
      '#5 Boil water',
      'Task #5 (Boil water) commented on by Mona ([open](https://dev.azure.com/tea/shop/_workitems/edit/5))',
    ],
    'workitem.deleted': ['#5 Boil water', 'Task #5 (Boil water) deleted by Mona'],
    'workitem.restored': [
      '#5 Boil water',
      'Task #5 (Boil water) restored by Mona ([open](https://dev.azure.com/tea/shop/_workitems/edit/5))',
    ],
    'build.complete': [
      'CI',
      'Build 20261120.1 succeeded ([open](https://dev.azure.com/tea/shop/_build/results?buildId=7))',
    ],
    'ms.vss-pipelines.run-state-changed-event': [
      'CI',
      'Run 20261120.1 completed. ([open](https://dev.azure.com/tea/shop/_build/results?buildId=7))',
    ],
    'ms.vss-pipelines.stage-state-changed-event': [
      'CI',
      'Run 20261120.1 stage Deploy failed. ([open](https://dev.azure.com/tea/shop/_build/results?buildId=7))',
    ],
    'ms.vss-release.release-created-event': ['Azure DevOps', 'Release Release-1 created.'],
    'ms.vss-release.deployment-started-event': [
      'kitchen',
      'Deployment of release Release-1 on stage kitchen started.',
    ],
    'ms.vss-release.deployment-completed-event': ['kitchen', 'Deployment on stage kitchen succeeded.'],
  });
});

test('buildkite tells of every sample by a topic and a text', () => {
  expect(toldOf(buildkite)).toEqual({
    'build passed': [
      'Tea shop / main',
      '[Build #12](https://buildkite.com/tea/shop/builds/12) on main :check: passed: Warm the tea',
    ],
    'build failed': [
      'Tea shop / main',
      '[Build #12](https://buildkite.com/tea/shop/builds/12) on main :cross_mark: failed: Warm the tea',
    ],
    'build scheduled': [
      'Tea shop / main',
      '[Build #12](https://buildkite.com/tea/shop/builds/12) on main is scheduled: Warm the tea',
    ],
    'build started': [
      'Tea shop / main',
      '[Build #12](https://buildkite.com/tea/shop/builds/12) on main has started: Warm the tea',
    ],
    'build failing': [
      'Tea shop / main',
      '[Build #12](https://buildkite.com/tea/shop/builds/12) on main :warning: is failing: Warm the tea',
    ],
    'job started': [
      'Tea shop / main',
      'Job [unit](https://buildkite.com/tea/shop/builds/12#b63254c0) of [build #12](https://buildkite.com/tea/shop/builds/12) has started.',
    ],
    'job failed': [
      'Tea shop / main',
      'Job [unit](https://buildkite.com/tea/shop/builds/12#b63254c0) of [build #12](https://buildkite.com/tea/shop/builds/12) :cross_mark: failed.',
    ],
    'step blocked': [
      'Tea shop / main',
      'Job [unit](https://buildkite.com/tea/shop/builds/12#b63254c0) of [build #12](https://buildkite.com/tea/shop/builds/12) :raised_hand: waits to be unblocked.',
    ],
    'agent connected': [
      'agents',
      'The agent [kettle-1](https://buildkite.com/organizations/tea/agents/0b461f65) on kitchen has connected.',
    ],
    'agent disconnected': [
      'agents',
      'The agent [kettle-1](https://buildkite.com/organizations/tea/agents/0b461f65) on kitchen has disconnected.',
    ],
    'agent lost': [
      'agents',
      'The agent [kettle-1](https://buildkite.com/organizations/tea/agents/0b461f65) on kitchen was lost.',
    ],
    ping: ['Tea', 'Events of Tea are sent here from now on.'],
  });
});

test('circleci tells of every sample by a topic and a text', () => {
  expect(toldOf(circleci)).toEqual({
    'workflow failed': [
      'shop / main',
      'Workflow [brew](https://app.circleci.com/pipelines/workflows/fda08377) on main :cross_mark: failed: Warm the tea',
    ],
    'job succeeded': [
      'shop / v1',
      'Job unit of [brew](https://app.circleci.com/pipelines/workflows/fda08377) on v1 :check: succeeded.',
    ],
  });
});

test('jenkins tells of every sample by a topic and a text', () => {
  expect(toldOf(jenkins)).toEqual({
    started: [
      'shop',
      '[Build #18](https://jenkins.example/job/shop/18/) of Tea shop on origin/main has started.',
    ],
    failed: [
      'shop',
      '[Build #18](https://jenkins.example/job/shop/18/) of Tea shop on origin/main :cross_mark: failed.',
    ],
    succeeded: [
      'shop',
      '[Build #18](https://jenkins.example/job/shop/18/) of Tea shop on origin/main :check: succeeded.',
    ],
  });
});

test('netlify tells of every sample by a topic and a text', () => {
  expect(toldOf(netlify)).toEqual({
    succeeded: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) :check: succeeded: Warm the tea',
    ],
    started: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) has started: Warm the tea',
    ],
    failed: [
      'tea-shop / production',
      `[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) :cross_mark: failed.
~~~ quote
Build script returned non-zero exit code: 2
~~~`,
    ],
    deleted: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) was deleted: Warm the tea',
    ],
    locked: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) :lock: was locked: Warm the tea',
    ],
    unlocked: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) :unlock: was unlocked: Warm the tea',
    ],
    restored: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) was published again: Warm the tea',
    ],
    pending: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) :raised_hand: waits for approval: Warm the tea',
    ],
    accepted: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) was approved: Warm the tea',
    ],
    rejected: [
      'tea-shop / production',
      '[Deploy](https://app.netlify.com/projects/tea-shop/deploys/5ebc34bf) of main ([c6d86dc654b](https://git.example/tea/shop/commit/c6d86dc654b12425e706bcf951adfe5a8627a517)) to [tea-shop](https://5ebc34bf--tea-shop.netlify.app/) :prohibited: was rejected: Warm the tea',
    ],
    'form sent': [
      'form order',
      `Somebody sent the form [order](https://tea.example/).
* **Name**: Mona
* **Cups**: 2`,
    ],
  });
});

test('travis tells of every sample by a topic and a text', () => {
  expect(toldOf(travis)).toEqual({
    passed: [
      'shop / main',
      '[Build #7](https://app.travis-ci.com/tea/shop/builds/1) on main :check: passed: Warm the tea',
    ],
    failed: [
      'shop / main',
      '[Build #7](https://app.travis-ci.com/tea/shop/builds/1) on main :cross_mark: failed: Warm the tea',
    ],
    started: [
      'shop / main',
      '[Build #7](https://app.travis-ci.com/tea/shop/builds/1) on main has started: Warm the tea',
    ],
    errored: [
      'shop / main',
      '[Build #7](https://app.travis-ci.com/tea/shop/builds/1) on main :cross_mark: met an error: Warm the tea',
    ],
    canceled: [
      'shop / main',
      '[Build #7](https://app.travis-ci.com/tea/shop/builds/1) on main :prohibited: was cancelled: Warm the tea',
    ],
  });
});
