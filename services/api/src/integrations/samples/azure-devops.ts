import type { Samples } from '../integration.ts';

const home = 'https://dev.azure.com/tea/shop';
const says = (text: string) => ({
  message: { text, html: text, markdown: text },
  detailedMessage: { text: `${text}\r\n- more`, html: text, markdown: text },
});
const event = (eventType: string, text: string, resource: object) => ({
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  notificationId: 1,
  id: '03c164c2-8912-4d5e-8009-3707d5f83734',
  eventType,
  publisherId: 'tfs',
  ...says(text),
  resource,
  resourceContainers: { project: { id: 'be9b3917-87e6-42a4-a549-2bc06a7a878f' } },
  createdDate: '2026-11-20T10:00:00Z',
});

const repository = { id: '278d5cd2', name: 'shop', remoteUrl: `${home}/_git/shop` };
const pr = {
  repository,
  pullRequestId: 3,
  title: 'Warm the tea',
  _links: { web: { href: `${home}/_git/shop/pullrequest/3` } },
};
const item = {
  id: 5,
  fields: { 'System.Title': 'Boil water' },
  _links: { web: { href: `${home}/_workitems/edit/5` } },
};
const changedItem = {
  id: 27,
  workItemId: 5,
  revision: { id: 5, fields: item.fields },
  fields: { 'System.State': { newValue: 'Done' } },
};
const run = { _links: { web: { href: `${home}/_build/results?buildId=7` } } };
const release = { environment: { name: 'kitchen' }, release: { name: 'Release-1' } };

/** A sample of each type of events: what Azure says of it, and of what. */
const said: Record<string, [text: string, resource: object]> = {
  'git.push': ['Mona pushed updates to shop:main', { repository, commits: [], refUpdates: [] }],
  'git.pullrequest.created': ['Mona created a new pull request', pr],
  'git.pullrequest.updated': ['Mona marked the pull request as completed', pr],
  'git.pullrequest.merged': ['Mona has created a pull request merge commit', pr],
  'ms.vss-code.git-pullrequest-comment-event': [
    'Mona has commented on a pull request',
    { comment: { id: 4, content: 'Agreed.', commentType: 'text' }, pullRequest: pr },
  ],
  'workitem.created': ['Task #5 (Boil water) created by Mona', item],
  'workitem.updated': ['Task #5 (Boil water) updated by Mona', changedItem],
  'workitem.commented': ['Task #5 (Boil water) commented on by Mona', item],
  'workitem.deleted': ['Task #5 (Boil water) deleted by Mona', { ...item, _links: undefined }],
  'workitem.restored': ['Task #5 (Boil water) restored by Mona', item],
  'build.complete': [
    'Build 20261120.1 succeeded',
    { id: 7, definition: { name: 'CI' }, result: 'succeeded', ...run },
  ],
  'ms.vss-pipelines.run-state-changed-event': [
    'Run 20261120.1 completed.',
    { pipeline: { name: 'CI' }, ...run },
  ],
  'ms.vss-pipelines.stage-state-changed-event': [
    'Run 20261120.1 stage Deploy failed.',
    { pipeline: { name: 'CI' }, ...run },
  ],
  'ms.vss-release.release-created-event': ['Release Release-1 created.', { release: { name: 'Release-1' } }],
  'ms.vss-release.deployment-started-event': [
    'Deployment of release Release-1 on stage kitchen started.',
    release,
  ],
  'ms.vss-release.deployment-completed-event': ['Deployment on stage kitchen succeeded.', release],
};

export const samples: Samples = Object.fromEntries(
  Object.entries(said).map(([type, [text, resource]]) => [type, [type, event(type, text, resource)]]),
);
