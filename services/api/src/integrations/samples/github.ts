import type { Samples } from '../integration.ts';

const user = (login: string) => ({
  login,
  id: 583_231,
  type: 'User',
  html_url: `https://github.com/${login}`,
});

const repository = {
  id: 1_296_269,
  name: 'tea-shop',
  full_name: 'octo/tea-shop',
  private: false,
  owner: user('octo'),
  html_url: 'https://github.com/octo/tea-shop',
  default_branch: 'main',
};

const common = { repository, sender: user('mona') };
const commit = (id: string, message: string) => ({
  id,
  tree_id: 'f9d2a07e9488b91af2641b26b9407fe22a451433',
  distinct: true,
  message,
  timestamp: '2026-11-20T10:00:00+01:00',
  url: `https://github.com/octo/tea-shop/commit/${id}`,
  author: { name: 'Mona Lisa', email: 'mona@example.com', username: 'mona' },
  committer: { name: 'GitHub', email: 'noreply@github.com' },
  added: [],
  removed: [],
  modified: ['menu.md'],
});
const ids = ['6dcb09b5b57875f334f61aebed695e2e4193db5e', '1a2b3c4d5e6f708192a3b4c5d6e7f80912345678'] as const;

const issue = {
  number: 42,
  title: 'The *green* tea is [cold] @**all**',
  html_url: 'https://github.com/octo/tea-shop/issues/42',
  state: 'open',
  user: user('mona'),
  labels: [{ name: 'bug' }],
  body: 'Warm it.\n\n~~~\nnot a fence\n~~~',
  comments: 1,
};
const pr = {
  number: 43,
  title: 'Warm the tea',
  html_url: 'https://github.com/octo/tea-shop/pull/43',
  state: 'open',
  merged: false,
  user: user('mona'),
  body: null,
  head: { ref: 'warm', sha: ids[0] },
  base: { ref: 'main', sha: ids[1] },
};
const comment = {
  id: 9,
  html_url: 'https://github.com/octo/tea-shop/issues/42#issuecomment-9',
  user: user('mona'),
  body: 'Agreed.',
};

const discussion = {
  number: 8,
  title: 'Green or black?',
  html_url: 'https://github.com/octo/tea-shop/discussions/8',
  body: 'What do you think?',
};

const push = {
  ...common,
  ref: 'refs/heads/main',
  before: ids[1],
  after: ids[0],
  created: false,
  deleted: false,
  forced: false,
  compare: 'https://github.com/octo/tea-shop/compare/1a2b3c4d5e6f...6dcb09b5b578',
  commits: [commit(ids[0], 'Warm the tea\n\nIt was cold.'), commit(ids[1], 'Fix `menu`')],
  pusher: { name: 'mona', email: 'mona@example.com' },
};

/** What is delivered, by the header that names the event. */
export const payloads: Samples = {
  push: ['push', push],
  ping: ['ping', { ...common, zen: 'Design for failure.', hook_id: 1, hook: { type: 'Repository' } }],
  'ping of an organization': [
    'ping',
    { zen: 'Design for failure.', hook_id: 1, organization: user('octo'), sender: user('mona') },
  ],
  'push of many': [
    'push',
    {
      ...push,
      forced: true,
      commits: Array.from({ length: 25 }, (_, index) => commit(ids[0], `Step ${index}`)),
    },
  ],
  'push that deletes': ['push', { ...push, deleted: true, commits: [] }],
  'branch created': ['create', { ...common, ref: 'warm', ref_type: 'branch', master_branch: 'main' }],
  'tag deleted': ['delete', { ...common, ref: 'v1', ref_type: 'tag' }],
  'issue opened': ['issues', { ...common, action: 'opened', issue }],
  'issue labeled': [
    'issues',
    { ...common, action: 'labeled', issue, label: { name: 'bug', color: 'f29513' } },
  ],
  'issue assigned': ['issues', { ...common, action: 'assigned', issue, assignee: user('hubot') }],
  'issue closed': ['issues', { ...common, action: 'closed', issue }],
  'issue commented': ['issue_comment', { ...common, action: 'created', issue, comment }],
  'PR commented': [
    'issue_comment',
    {
      ...common,
      action: 'created',
      issue: { ...issue, number: 43, title: pr.title, pull_request: {} },
      comment,
    },
  ],
  'PR opened': ['pull_request', { ...common, action: 'opened', number: 43, pull_request: pr }],
  'PR updated': ['pull_request', { ...common, action: 'synchronize', number: 43, pull_request: pr }],
  'PR merged': [
    'pull_request',
    { ...common, action: 'closed', number: 43, pull_request: { ...pr, merged: true } },
  ],
  'review requested': [
    'pull_request',
    {
      ...common,
      action: 'review_requested',
      number: 43,
      pull_request: pr,
      requested_reviewer: user('hubot'),
    },
  ],
  'PR approved': [
    'pull_request_review',
    {
      ...common,
      action: 'submitted',
      review: { ...comment, html_url: `${pr.html_url}#pullrequestreview-1`, state: 'approved', body: null },
      pull_request: pr,
    },
  ],
  'PR line commented': [
    'pull_request_review_comment',
    {
      ...common,
      action: 'created',
      comment: { ...comment, html_url: `${pr.html_url}#discussion_r1` },
      pull_request: pr,
    },
  ],
  'commit commented': [
    'commit_comment',
    { ...common, action: 'created', comment: { ...comment, commit_id: ids[0] } },
  ],
  released: [
    'release',
    {
      ...common,
      action: 'published',
      release: {
        tag_name: 'v1',
        name: 'First cup',
        html_url: 'https://github.com/octo/tea-shop/releases/tag/v1',
        body: 'Enjoy.',
      },
    },
  ],
  'workflow failed': [
    'workflow_run',
    {
      ...common,
      action: 'completed',
      workflow_run: {
        name: 'CI',
        html_url: 'https://github.com/octo/tea-shop/actions/runs/7',
        head_branch: 'main',
        status: 'completed',
        conclusion: 'failure',
      },
    },
  ],
  starred: ['star', { ...common, action: 'created', starred_at: '2026-11-20T09:00:00Z' }],
  forked: [
    'fork',
    { ...common, forkee: { full_name: 'mona/tea-shop', html_url: 'https://github.com/mona/tea-shop' } },
  ],
  'PR of a bot opened': [
    'pull_request',
    {
      ...common,
      sender: user('dependabot[bot]'),
      action: 'opened',
      number: 44,
      pull_request: {
        ...pr,
        number: 44,
        title: 'Bump kettle from 1.0.0 to 1.0.1',
        html_url: 'https://github.com/octo/tea-shop/pull/44',
        body: 'Bumps kettle.',
        head: { ref: 'dependabot/npm/kettle-1.0.1' },
      },
    },
  ],
  'discussion begun': ['discussion', { ...common, action: 'created', discussion }],
  'discussion commented': [
    'discussion_comment',
    {
      ...common,
      action: 'created',
      discussion,
      comment: { ...comment, html_url: `${discussion.html_url}#c1` },
    },
  ],
  'wiki changed': [
    'gollum',
    {
      ...common,
      pages: [
        {
          page_name: 'Kinds',
          title: 'Kinds',
          action: 'edited',
          html_url: `${repository.html_url}/wiki/Kinds`,
        },
      ],
    },
  ],
  'milestone closed': [
    'milestone',
    {
      ...common,
      action: 'closed',
      milestone: { title: 'Hot', number: 1, html_url: `${repository.html_url}/milestone/1` },
    },
  ],
  'collaborator added': ['member', { ...common, action: 'added', member: user('hubot') }],
  'repository archived': ['repository', { ...common, action: 'archived' }],
  'deployment succeeded': [
    'deployment_status',
    {
      ...common,
      action: 'created',
      deployment: { ref: 'main', environment: 'production' },
      deployment_status: {
        state: 'success',
        environment: 'production',
        environment_url: 'https://tea.example',
        target_url: '',
      },
    },
  ],
  'Dependabot alert': [
    'dependabot_alert',
    {
      ...common,
      action: 'created',
      alert: {
        number: 5,
        state: 'open',
        html_url: `${repository.html_url}/security/dependabot/5`,
        dependency: {
          package: { ecosystem: 'npm', name: 'kettle' },
          manifest_path: 'package-lock.json',
        },
        security_advisory: {
          ghsa_id: 'GHSA-xxxx-xxxx-xxxx',
          summary: 'Steam escapes',
          severity: 'high',
        },
        security_vulnerability: { first_patched_version: { identifier: '1.0.1' } },
      },
    },
  ],
  'code scanning alert': [
    'code_scanning_alert',
    {
      ...common,
      action: 'fixed',
      ref: 'refs/heads/main',
      alert: {
        number: 6,
        html_url: `${repository.html_url}/security/code-scanning/6`,
        rule: { id: 'js/spill', description: 'Spilled tea', severity: 'warning' },
        tool: { name: 'CodeQL' },
      },
    },
  ],
  'secret scanning alert': [
    'secret_scanning_alert',
    {
      ...common,
      action: 'created',
      alert: {
        number: 7,
        html_url: `${repository.html_url}/security/secret-scanning/7`,
        secret_type: 'tea_key',
        secret_type_display_name: 'Tea key',
      },
    },
  ],
  'advisory published': [
    'repository_advisory',
    {
      ...common,
      action: 'published',
      repository_advisory: {
        ghsa_id: 'GHSA-xxxx-xxxx-xxxx',
        summary: 'Steam escapes',
        severity: 'high',
        html_url: `${repository.html_url}/security/advisories/GHSA-xxxx-xxxx-xxxx`,
      },
    },
  ],
};
