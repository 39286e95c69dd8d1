import type { Samples } from '../integration.ts';

const home = 'https://git.example/tea/shop';
const user = (login: string) => ({ id: 1, login, full_name: '', email: `${login}@git.example` });
const common = {
  repository: { id: 1, name: 'shop', full_name: 'tea/shop', html_url: home, default_branch: 'main' },
  sender: user('mona'),
};
const commit = {
  id: 'bffeb74224043ba2feb48d137756c8a9331c449a',
  message: 'Warm the tea\n\nIt was cold.',
  url: `${home}/commit/bffeb74224043ba2feb48d137756c8a9331c449a`,
  author: { name: 'Mona', email: 'mona@git.example', username: 'mona' },
};
const issue = {
  id: 7,
  number: 2,
  title: 'The tea is cold',
  body: 'Warm it.',
  html_url: `${home}/issues/2`,
  state: 'open',
};
const pr = {
  id: 8,
  number: 3,
  title: 'Warm the tea',
  body: 'As it says.',
  html_url: `${home}/pulls/3`,
  merged: false,
  head: { ref: 'warm' },
  base: { ref: 'main' },
};
const comment = { id: 9, html_url: `${home}/issues/2#issuecomment-9`, body: 'Agreed.', user: user('mona') };
const review = (type: string) => ({
  ...common,
  action: 'reviewed',
  number: 3,
  pull_request: pr,
  review: { type, content: 'Well brewed.' },
});

export const samples: Samples = {
  push: [
    'push',
    {
      ...common,
      ref: 'refs/heads/main',
      before: '28e1879d029cb852e4844d9c718537df08844e03',
      after: commit.id,
      compare_url: `${home}/compare/28e1879d...bffeb742`,
      commits: [commit],
      pusher: user('mona'),
    },
  ],
  'tag created': ['create', { ...common, ref: 'v1', ref_type: 'tag', sha: commit.id }],
  'branch deleted': ['delete', { ...common, ref: 'warm', ref_type: 'branch', pusher_type: 'user' }],
  'issue opened': ['issues', { ...common, action: 'opened', number: 2, issue }],
  'issue labeled': ['issues', { ...common, action: 'label_updated', number: 2, issue }],
  'issue commented': ['issue_comment', { ...common, action: 'created', issue, comment, is_pull: false }],
  'PR opened': ['pull_request', { ...common, action: 'opened', number: 3, pull_request: pr }],
  'PR updated': ['pull_request', { ...common, action: 'synchronized', number: 3, pull_request: pr }],
  'PR merged': [
    'pull_request',
    { ...common, action: 'closed', number: 3, pull_request: { ...pr, merged: true } },
  ],
  'PR approved': ['pull_request_approved', review('pull_request_review_approved')],
  'PR rejected': ['pull_request_rejected', review('pull_request_review_rejected')],
  'PR reviewed': ['pull_request_comment', review('pull_request_review_comment')],
  released: [
    'release',
    {
      ...common,
      action: 'published',
      release: { tag_name: 'v1', name: 'First cup', html_url: `${home}/releases/tag/v1`, body: 'Enjoy.' },
    },
  ],
  forked: [
    'fork',
    { ...common, forkee: { full_name: 'mona/shop', html_url: 'https://git.example/mona/shop' } },
  ],
  'repository created': ['repository', { ...common, action: 'created' }],
  'wiki edited': ['wiki', { ...common, action: 'edited', page: 'Kinds of tea', comment: '' }],
};
