import type { Samples } from '../integration.ts';

const home = 'https://bitbucket.org/tea/shop';
const html = (href: string) => ({ html: { href } });
const common = {
  actor: { display_name: 'Mona', type: 'user', uuid: '{1b5e}' },
  repository: { name: 'shop', full_name: 'tea/shop', links: html(home), is_private: true },
};
const hash = '709d658dc5b6d6afcd46049c2f332ee3f515a67d';
const commit = { hash, message: 'Warm the tea\n', links: html(`${home}/commits/${hash}`) };
const branch = (name: string) => ({ type: 'branch', name, links: html(`${home}/branch/${name}`) });
const change = {
  new: branch('main'),
  old: branch('main'),
  created: false,
  closed: false,
  forced: false,
  truncated: true,
  commits: [commit],
  links: html(`${home}/branches/compare/709d658d..1e65c05c`),
};
const pushed = (...changes: object[]) => ({ ...common, push: { changes } });
const pr = {
  id: 3,
  title: 'Warm the tea',
  description: 'As it says.',
  state: 'OPEN',
  source: { branch: { name: 'warm' } },
  destination: { branch: { name: 'main' } },
  links: html(`${home}/pull-requests/3`),
};
const issue = {
  id: 2,
  title: 'The tea is cold',
  content: { raw: 'Warm it.', html: '<p>Warm it.</p>' },
  links: html(`${home}/issues/2`),
};
const comment = (of: string) => ({ id: 9, content: { raw: 'Agreed.' }, links: html(`${of}#comment-9`) });
const ofPr = { ...common, pullrequest: pr };
const status = (state: string) => ({
  ...common,
  commit_status: { name: 'Unit tests', key: 'unit', state, url: 'https://ci.example/1', refname: 'main' },
});

export const samples: Samples = {
  push: ['repo:push', pushed(change)],
  'new branch': ['repo:push', pushed({ ...change, old: null, created: true, truncated: false })],
  'branch deleted, and a tag pushed': [
    'repo:push',
    pushed(
      { ...change, new: null, closed: true, commits: [] },
      { ...change, old: null, new: { type: 'tag', name: 'v1' }, commits: [] },
    ),
  ],
  forked: [
    'repo:fork',
    { ...common, fork: { full_name: 'mona/shop', links: html('https://bitbucket.org/mona/shop') } },
  ],
  'commit commented': [
    'repo:commit_comment_created',
    { ...common, comment: comment(`${home}/commits/${hash}`), commit: { hash } },
  ],
  'build succeeded at once': ['repo:commit_status_created', status('SUCCESSFUL')],
  'build failed': ['repo:commit_status_updated', status('FAILED')],
  'PR opened': ['pullrequest:created', ofPr],
  'PR updated': ['pullrequest:updated', ofPr],
  'PR approved': ['pullrequest:approved', { ...ofPr, approval: { date: '2026-11-20T10:00:00Z' } }],
  'PR approval withdrawn': ['pullrequest:unapproved', ofPr],
  'changes requested': ['pullrequest:changes_request_created', ofPr],
  'changes no longer requested': ['pullrequest:changes_request_removed', ofPr],
  'PR merged': ['pullrequest:fulfilled', ofPr],
  'PR declined': ['pullrequest:rejected', ofPr],
  'PR commented': ['pullrequest:comment_created', { ...ofPr, comment: comment(pr.links.html.href) }],
  'PR comment edited': ['pullrequest:comment_updated', { ...ofPr, comment: comment(pr.links.html.href) }],
  'PR comment deleted': ['pullrequest:comment_deleted', { ...ofPr, comment: comment(pr.links.html.href) }],
  'issue opened': ['issue:created', { ...common, issue }],
  'issue updated': ['issue:updated', { ...common, issue }],
  'issue commented': ['issue:comment_created', { ...common, issue, comment: comment(issue.links.html.href) }],
};
