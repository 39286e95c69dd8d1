import type { Samples } from '../integration.ts';

const labels = { alertname: 'CupEmpty', severity: 'page' };

/** A group of alerts. */
const alerts = {
  version: '4',
  groupKey: '{}:{alertname="CupEmpty"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'chat',
  groupLabels: { alertname: 'CupEmpty' },
  commonLabels: labels,
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example:9093',
  alerts: [
    {
      status: 'firing',
      labels: { ...labels, instance: 'kitchen:9100' },
      annotations: { summary: 'The cup in the kitchen is empty', description: 'It has been for a minute.' },
      startsAt: '2026-11-20T09:00:00.000Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example:9090/graph?g0.expr=cup_level+%3D%3D+0',
      fingerprint: 'ce9f1ab2c3d4e5f6',
    },
    {
      status: 'resolved',
      labels: { ...labels, instance: 'garden:9100' },
      annotations: {},
      startsAt: '2026-11-20T08:00:00.000Z',
      endsAt: '2026-11-20T09:00:00.000Z',
      generatorURL: '',
      fingerprint: 'f6e5d4c3b2a1ce9f',
    },
  ],
};

const resolved = {
  ...alerts,
  status: 'resolved',
  truncatedAlerts: 3,
  groupLabels: {},
  commonLabels: {},
};

export const alertmanagerSamples: Samples = {
  firing: ['firing', alerts],
  'resolved, with more than fit': ['resolved', resolved],
};

/** What Grafana adds to each alert. */
const ofGrafana = {
  silenceURL: 'https://grafana.example/alerting/silence/new?matcher=alertname%3DCupEmpty',
  dashboardURL: 'https://grafana.example/d/tea',
  panelURL: 'https://grafana.example/d/tea?viewPanel=1',
  values: { B: 0 },
  valueString: '[ var=B value=0 ]',
};

const grafana = {
  ...alerts,
  orgId: 1,
  title: '[FIRING:1] CupEmpty (page)',
  state: 'alerting',
  message: '**Firing**',
  externalURL: 'https://grafana.example/',
  alerts: alerts.alerts.map((alert) => ({ ...alert, ...ofGrafana })),
};

export const grafanaSamples: Samples = {
  firing: ['firing', grafana],
  resolved: ['resolved', { ...grafana, status: 'resolved', state: 'ok' }],
};
