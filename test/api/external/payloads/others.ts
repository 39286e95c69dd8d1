const labels = { alertname: 'CupEmpty', severity: 'page' };

/** A group of alerts of Prometheus. */
export const alerts = {
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

/** What programs send to an incoming webhook of Slack. */
export const slack = {
  channel: '#tea',
  username: 'kettle',
  icon_emoji: ':tea:',
  text: 'shown where blocks are not',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'The tea' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*hot* &amp; ~cold~, _says_ <https://ex.org/tea|the kettle> to <@U123>' },
      fields: [{ type: 'mrkdwn', text: '*Kind*\nGreen' }],
    },
    { type: 'divider' },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'now' },
        { type: 'image', image_url: 'https://ex.org/a.png', alt_text: 'a' },
      ],
    },
  ],
  attachments: [
    {
      color: '#36a64f',
      title: 'A cup',
      title_link: 'https://ex.org/cup',
      text: '<!here> is one',
      fields: [{ title: 'Size', value: 'L', short: true }],
      fallback: 'A cup',
    },
  ],
};
