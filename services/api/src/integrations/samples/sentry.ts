import type { Samples } from '../integration.ts';

const mona = { type: 'user', id: 1, name: 'Mona' };
const sentry = { type: 'application', id: 'sentry', name: 'Sentry' };
const page = 'https://tea.sentry.io/issues/1170820242/';
const event = {
  event_id: 'e4874d664c3540c1a32eab185f12c5ab',
  title: 'TypeError: cup is undefined',
  culprit: 'pour(kettle)',
  level: 'error',
  environment: 'production',
  web_url: `${page}events/e4874d66/`,
  issue_id: '1170820242',
};
const issue = {
  id: '1170820242',
  shortId: 'SHOP-1',
  title: event.title,
  culprit: event.culprit,
  level: 'error',
  status: 'unresolved',
  permalink: page,
  web_url: page,
  assignedTo: { type: 'user', name: 'Hubot', email: 'hubot@tea.example' },
};
const changed = (action: string, actor: object = mona) => ({ action, actor, data: { issue } });
const alert = {
  description_text: '1000 events in the last 10 minutes\nFilter: level:error',
  web_url: 'https://tea.sentry.io/organizations/tea/alerts/1/',
  metric_alert: { id: '1', title: 'Too many errors', status: 20 },
};
const said = {
  comment_id: 1,
  issue_id: 1170820242,
  project_slug: 'shop',
  comment: 'Agreed.',
  timestamp: '2026-11-20T10:00:00Z',
};

export const samples: Samples = {
  'issue alert': [
    'event_alert',
    { action: 'triggered', actor: sentry, data: { event, triggered_rule: 'Anything new' } },
  ],
  'new issue': ['issue', changed('created', sentry)],
  'issue resolved': ['issue', changed('resolved')],
  'issue assigned': ['issue', changed('assigned')],
  'issue archived': ['issue', changed('archived')],
  'issue open again': ['issue', changed('unresolved')],
  'metric alert': [
    'metric_alert',
    { action: 'critical', actor: sentry, data: { ...alert, description_title: 'Critical: Too many errors' } },
  ],
  'metric alert resolved': [
    'metric_alert',
    { action: 'resolved', actor: sentry, data: { ...alert, description_title: 'Resolved: Too many errors' } },
  ],
  commented: ['comment', { action: 'created', actor: mona, data: said }],
  'comment deleted': ['comment', { action: 'deleted', actor: mona, data: said }],
  error: ['error', { action: 'created', actor: sentry, data: { error: event } }],
  installed: [
    'installation',
    { action: 'created', actor: mona, data: { installation: { status: 'installed' } } },
  ],
};
