import type { Samples } from '../integration.ts';

const problem = {
  name: 'The kettle is cold',
  host: 'kettle-1',
  severity: 'High',
  value: '1',
  update_status: '0',
  update_message: '',
  update_user: '',
  item: 'Temperature: 20 °C',
  url: 'https://zabbix.example/tr_events.php?triggerid=1&eventid=2',
};

const zabbix: Samples = {
  problem: ['problem', problem],
  recovery: ['recovery', { ...problem, value: '0' }],
  update: ['update', { ...problem, update_status: '1', update_message: 'On my way.', update_user: 'Mona' }],
};

const issue = {
  id: 'b5e1c7b0',
  issueUrl: 'https://radar-api.service.newrelic.com/accounts/1/issues/b5e1c7b0',
  title: 'High response time',
  priority: 'CRITICAL',
  impactedEntities: ['shop', 'kettle'],
  totalIncidents: 1,
  state: 'ACTIVATED',
  trigger: 'INCIDENT_ADDED',
  isCorrelated: false,
  alertPolicyNames: ['Tea'],
  alertConditionNames: ['Slow'],
  workflowName: 'Chat',
};

const newrelic: Samples = {
  active: ['ACTIVATED', issue],
  created: ['CREATED', { ...issue, state: 'CREATED' }],
  acknowledged: ['ACKNOWLEDGED', { ...issue, state: 'ACKNOWLEDGED' }],
  closed: ['CLOSED', { ...issue, state: 'CLOSED', alertPolicyNames: null }],
};

const monitor = (transition: string) => ({
  title: `[${transition}] The kettle is cold`,
  body: '%%%\nTemperature below 80 °C\n%%%',
  transition,
  type: 'metric_alert_monitor',
  link: 'https://app.datadoghq.com/event/event?id=1',
  priority: 'P2',
  host: 'kettle-1',
});

const datadog: Samples = {
  triggered: ['triggered', monitor('Triggered')],
  warning: ['warn', monitor('Warn')],
  'no data': ['no_data', monitor('No Data')],
  recovered: ['recovered', monitor('Recovered')],
  'still triggered': ['renotify', monitor('Renotify')],
  event: [
    'event',
    {
      title: 'Tea was served',
      body: 'Twice.',
      transition: '',
      type: 'user',
      link: '',
      priority: '',
      host: '',
    },
  ],
};

export const samples = { zabbix, newrelic, datadog };
