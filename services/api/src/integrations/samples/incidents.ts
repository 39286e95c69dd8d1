import type { Samples } from '../integration.ts';

const home = 'https://tea.pagerduty.com';
const service = {
  id: 'PF9KMXH',
  type: 'service_reference',
  summary: 'Kettles',
  html_url: `${home}/services/PF9KMXH`,
};
const incident = {
  id: 'PGR0VU2',
  type: 'incident',
  html_url: `${home}/incidents/PGR0VU2`,
  number: 2,
  status: 'triggered',
  title: 'The kettle is cold',
  service,
  assignees: [{ id: 'PTUXL6G', type: 'user_reference', summary: 'Mona', html_url: `${home}/users/PTUXL6G` }],
  priority: { id: 'PSO75BM', type: 'priority_reference', summary: 'P1' },
  urgency: 'high',
  escalation_policy: { id: 'PUS0KTE', summary: 'Tea ladies' },
};
const event = (event_type: string, data: object) => ({
  event: {
    id: '5ac64822-4adc-4fda-ade0-410becf0de4f',
    event_type,
    resource_type: event_type.split('.')[0],
    occurred_at: '2026-11-20T10:00:00.000Z',
    agent: { id: 'PLH1HKV', type: 'user_reference', summary: 'Mona', html_url: `${home}/users/PLH1HKV` },
    client: null,
    data,
  },
});
const reference = {
  id: 'PGR0VU2',
  type: 'incident_reference',
  summary: 'The kettle is cold',
  html_url: incident.html_url,
};
const note = { incident: reference, id: 'P1', type: 'incident_note', content: 'On my way.' };
const responder = {
  incident: reference,
  user: { summary: 'Hubot' },
  type: 'incident_responder',
  message: 'Please help.',
};

/** What is sent with each type of events; the incident, unless it says otherwise. */
const datas: Record<string, object> = {
  'incident.triggered': incident,
  'incident.acknowledged': incident,
  'incident.unacknowledged': incident,
  'incident.resolved': incident,
  'incident.reopened': incident,
  'incident.escalated': incident,
  'incident.delegated': incident,
  'incident.reassigned': incident,
  'incident.priority_updated': incident,
  'incident.annotated': note,
  'incident.responder.added': responder,
  'incident.responder.replied': responder,
  'incident.status_update_published': {
    incident: reference,
    message: 'Warm again.',
    type: 'incident_status_update',
  },
  'service.created': { ...service, type: 'service' },
  'service.updated': { ...service, type: 'service' },
  'service.deleted': { ...service, type: 'service' },
  'pagey.ping': { message: 'Hello', type: 'ping' },
};

const pagerduty: Samples = Object.fromEntries(
  Object.entries(datas).map(([type, data]) => [type, [type, event(type, data)]]),
);

const alert = {
  alertId: '052652ac-5d1c-464a-812a-7dd18bbfba8c',
  tinyId: '23',
  message: 'The kettle is cold',
  description: 'It has been for a minute.',
  username: 'mona@tea.example',
  entity: 'kettle-1',
  priority: 'P2',
  tags: ['kitchen', 'hot water'],
  alias: 'kettle',
  createdAt: 1_763_632_800_000,
};
const acted = (action: string, more: object = {}) => ({
  action,
  alert: { ...alert, ...more },
  source: { name: 'web', type: 'API' },
  integrationName: 'Chat',
  integrationType: 'Webhook',
});

const actions: Record<string, object> = {
  Create: {},
  Acknowledge: {},
  UnAcknowledge: {},
  Close: {},
  Escalate: { escalationName: 'Tea ladies' },
  AddNote: { note: 'On my way.' },
  AssignOwnership: { owner: 'hubot@tea.example' },
  TakeOwnership: { owner: 'mona@tea.example' },
  AddTeam: { team: 'Tea ladies' },
  AddRecipient: { recipient: 'hubot@tea.example' },
  AddTags: { addedTags: 'hot water' },
  RemoveTags: { removedTags: 'cold' },
  UpdatePriority: { priority: 'P1' },
  Snooze: {},
  Delete: {},
};

const opsgenie: Samples = Object.fromEntries(
  Object.entries(actions).map(([action, more]) => [action, [action, acted(action, more)]]),
);

const about = {
  meta: {
    unsubscribe: 'https://status.tea.example/unsubscribe',
    documentation: 'https://status.tea.example/help',
  },
  page: { id: 'j2mfxwj97wnj', status_indicator: 'major', status_description: 'Partial outage' },
};
const statusIncident = (status: string, body: string) => ({
  ...about,
  incident: {
    id: 'lbkhbwn21v5q',
    name: 'Cold tea',
    status,
    impact: 'major',
    shortlink: 'https://stspg.example/lbkh',
    incident_updates: [{ id: 'drfcwbnpxnr6', status, body }],
  },
});

const statuspage: Samples = {
  'incident investigated': ['incident', statusIncident('investigating', 'We look for the reason.')],
  'incident resolved': ['incident', statusIncident('resolved', 'The tea is warm.')],
  'component changed': [
    'component_update',
    {
      ...about,
      component_update: { old_status: 'operational', new_status: 'major_outage', component_id: '20' },
      component: { id: '20', name: 'Kettles', status: 'major_outage' },
    },
  ],
};

export const samples = { pagerduty, opsgenie, statuspage };
