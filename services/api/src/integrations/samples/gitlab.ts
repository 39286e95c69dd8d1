import type { Samples } from '../integration.ts';

const project = {
  id: 15,
  name: 'Tea Shop',
  web_url: 'https://gitlab.example/tea/shop',
  path_with_namespace: 'tea/shop',
  default_branch: 'main',
};
const user = { id: 1, name: 'Mona', username: 'mona', avatar_url: null };
const ids = ['da1560886d4f094c3e6c9ef40349f7d38b5d27d7', 'c5feabde2d8cd023215af4d2ceeb7a64839fc428'] as const;
const nothing = '0'.repeat(40);

const push = {
  object_kind: 'push',
  event_name: 'push',
  before: ids[1],
  after: ids[0],
  ref: 'refs/heads/main',
  user_id: 1,
  user_name: 'Mona',
  project,
  commits: [
    {
      id: ids[0],
      message: 'Warm the tea\n\nIt was cold.',
      title: 'Warm the tea',
      url: `https://gitlab.example/tea/shop/-/commit/${ids[0]}`,
      author: { name: 'Mona', email: 'mona@example.com' },
    },
  ],
  total_commits_count: 1,
};

const tag = {
  ...push,
  object_kind: 'tag_push',
  ref: 'refs/tags/v1',
  before: nothing,
  commits: [],
  total_commits_count: 0,
};

const issue = {
  object_kind: 'issue',
  user,
  project,
  object_attributes: {
    id: 301,
    iid: 23,
    title: 'The tea is cold',
    description: 'Warm it.',
    state: 'opened',
    url: 'https://gitlab.example/tea/shop/-/issues/23',
    action: 'open',
  },
  labels: [],
};

const mergeRequest = {
  object_kind: 'merge_request',
  user,
  project,
  object_attributes: {
    id: 99,
    iid: 1,
    title: 'Warm the tea',
    description: '',
    source_branch: 'warm',
    target_branch: 'main',
    state: 'merged',
    url: 'https://gitlab.example/tea/shop/-/merge_requests/1',
    action: 'merge',
  },
};

const note = {
  object_kind: 'note',
  user,
  project,
  object_attributes: {
    id: 1244,
    note: 'Agreed.',
    noteable_type: 'MergeRequest',
    url: 'https://gitlab.example/tea/shop/-/merge_requests/1#note_1244',
  },
};

const pipeline = {
  object_kind: 'pipeline',
  user,
  project,
  object_attributes: { id: 31, iid: 3, ref: 'main', tag: false, status: 'failed', duration: 63 },
  builds: [
    { id: 380, stage: 'test', name: 'unit', status: 'failed' },
    { id: 381, stage: 'build', name: 'image', status: 'skipped' },
  ],
};

const job = {
  object_kind: 'build',
  ref: 'main',
  build_id: 380,
  build_name: 'unit',
  build_stage: 'test',
  build_status: 'success',
  project_name: 'Tea / Tea Shop',
  user,
  repository: { name: 'Tea Shop', homepage: 'https://gitlab.example/tea/shop' },
};

/** What is delivered, by the header that names the event. */
export const payloads: Samples = {
  push: ['Push Hook', push],
  'push of a new branch': ['Push Hook', { ...push, before: nothing, ref: 'refs/heads/warm' }],
  'branch deleted': ['Push Hook', { ...push, after: nothing, commits: [], total_commits_count: 0 }],
  'tag pushed': ['Tag Push Hook', tag],
  'tag deleted': ['Tag Push Hook', { ...tag, before: ids[0], after: nothing }],
  'issue opened': ['Issue Hook', issue],
  'issue closed': [
    'Confidential Issue Hook',
    { ...issue, object_attributes: { ...issue.object_attributes, action: 'close' } },
  ],
  'MR merged': ['Merge Request Hook', mergeRequest],
  'MR commented': [
    'Note Hook',
    { ...note, merge_request: { id: 7, iid: 1, title: 'Warm the tea', source_branch: 'warm' } },
  ],
  'issue commented': ['Note Hook', { ...note, issue: { id: 92, iid: 23, title: 'The tea is cold' } }],
  'confidential issue commented': [
    'Confidential Note Hook',
    { ...note, issue: { id: 92, iid: 23, title: 'The tea is cold' } },
  ],
  'commit commented': [
    'Note Hook',
    { ...note, commit: { id: ids[0], url: `https://gitlab.example/tea/shop/-/commit/${ids[0]}` } },
  ],
  'pipeline failed': ['Pipeline Hook', pipeline],
  'job succeeded': ['Job Hook', job],
  'wiki page created': [
    'Wiki Page Hook',
    {
      object_kind: 'wiki_page',
      user,
      project,
      object_attributes: {
        title: 'Kinds of tea',
        url: 'https://gitlab.example/tea/shop/-/wikis/kinds',
        action: 'create',
      },
    },
  ],
  released: [
    'Release Hook',
    {
      object_kind: 'release',
      project,
      action: 'create',
      name: 'First cup',
      tag: 'v1',
      description: 'Enjoy.',
      url: 'https://gitlab.example/tea/shop/-/releases/v1',
    },
  ],
};
