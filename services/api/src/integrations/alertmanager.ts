import { z } from 'zod';

import type { Integration } from './integration.ts';
import { inline, link, list } from './markdown.ts';

const Labels = z.record(z.string(), z.string());

const Payload = z.object({
  status: z.enum(['firing', 'resolved']),
  receiver: z.string().default(''),
  groupLabels: Labels.default({}),
  commonLabels: Labels.default({}),
  externalURL: z.string().optional(),
  truncatedAlerts: z.number().default(0),
  alerts: z
    .array(
      z.object({
        status: z.enum(['firing', 'resolved']),
        labels: Labels,
        annotations: Labels.default({}),
        generatorURL: z.string().optional(),
      }),
    )
    .min(1),
});

type Alert = z.infer<typeof Payload>['alerts'][number];

const signs = { firing: ':rotating_light:', resolved: ':check:' };

/** Labels that tell one alert of a group from another. */
function place({ labels }: Alert, common: Record<string, string>): string {
  const own = Object.entries(labels).filter(([name, value]) => common[name] !== value);
  return own.map(([name, value]) => `${inline(name)}=${inline(value)}`).join(', ');
}

function describe(alert: Alert, common: Record<string, string>): string {
  const { annotations, labels, generatorURL, status } = alert;
  const what = annotations['summary'] ?? annotations['description'] ?? labels['alertname'] ?? 'Alert';
  const where = place(alert, common);
  return `${signs[status]} ${link(what, generatorURL)}${where === '' ? '' : ` (${where})`}`;
}

/** Groups of alerts of Prometheus. */
export const alertmanager: Integration = {
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  events: ['firing', 'resolved'],
  read({ payload }) {
    const { status, receiver, groupLabels, commonLabels, externalURL, alerts, truncatedAlerts } =
      Payload.parse(payload);
    const name = groupLabels['alertname'] ?? commonLabels['alertname'] ?? receiver;
    const left = truncatedAlerts > 0 ? `\n\n${truncatedAlerts} more alerts were left out.` : '';
    return {
      event: status,
      topic: name === '' ? 'alerts' : name,
      content: `**${status === 'firing' ? 'Firing' : 'Resolved'}**: ${link(name === '' ? 'alerts' : name, externalURL)}${list(
        alerts.map((alert) => describe(alert, commonLabels)),
      )}${left}`,
    };
  },
};
