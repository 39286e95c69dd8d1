import type { Samples } from '../integration.ts';

const mona = { displayName: 'Mona', accountId: '5b10', active: true };
const issue = {
  id: '99291',
  self: 'https://tea.atlassian.net/rest/api/2/issue/99291',
  key: 'TEA-1',
  fields: {
    summary: 'The tea is cold',
    description: 'Warm it.',
    issuetype: { name: 'Bug' },
    priority: { name: 'High' },
    status: { name: 'Open' },
    assignee: { displayName: 'Hubot' },
  },
};
const comment = { id: '252789', body: 'Agreed.', author: mona, updateAuthor: mona };
const event = (webhookEvent: string, more: object) => ({
  timestamp: 1_763_632_800_000,
  webhookEvent,
  ...more,
});
const sprint = { id: 4, state: 'active', name: 'Sprint 4', goal: 'Hot tea' };
const version = { id: '10', name: '1.0', description: 'First cup', released: true };

export const samples: Samples = {
  'issue created': ['jira:issue_created', event('jira:issue_created', { user: mona, issue })],
  'issue changed': [
    'jira:issue_updated',
    event('jira:issue_updated', {
      user: mona,
      issue,
      changelog: {
        id: 10_124,
        items: [
          { field: 'status', fieldtype: 'jira', from: '1', fromString: 'Open', to: '3', toString: 'Done' },
          {
            field: 'assignee',
            fieldtype: 'jira',
            from: null,
            fromString: null,
            to: '5b10',
            toString: 'Mona',
          },
        ],
      },
    }),
  ],
  'issue deleted': ['jira:issue_deleted', event('jira:issue_deleted', { user: mona, issue })],
  commented: ['comment_created', event('comment_created', { comment, issue })],
  'comment edited': ['comment_updated', event('comment_updated', { comment, issue })],
  'comment deleted': ['comment_deleted', event('comment_deleted', { comment, issue })],
  'sprint created': ['sprint_created', event('sprint_created', { sprint })],
  'sprint started': ['sprint_started', event('sprint_started', { sprint })],
  'sprint closed': ['sprint_closed', event('sprint_closed', { sprint })],
  'version created': ['jira:version_created', event('jira:version_created', { version })],
  'version released': ['jira:version_released', event('jira:version_released', { version })],
};
