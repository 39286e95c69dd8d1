import { z } from 'zod';

import type { Told } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link, list } from '../markdown.ts';

const Labels = z.record(z.string(), z.string());

/** A group of alerts as Alertmanager sends it, and Grafana, which adds to it. */
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
        panelURL: z.string().optional(),
        dashboardURL: z.string().optional(),
        silenceURL: z.string().optional(),
      }),
    )
    .min(1),
});

type Alert = z.infer<typeof Payload>['alerts'][number];

const signs = { firing: ':rotating_light:', resolved: ':check:' };

/** Labels that tell one alert of a group from another. */
function place({ labels }: Alert, common: Record<string, string>): string {
  const own = Object.entries(labels).filter(([name, value]) => lookUp(common, name) !== value);
  return own.map(([name, value]) => `${inline(name)}=${inline(value)}`).join(', ');
}

/** The pages of Grafana on which one looks further. */
const pagesOf = ({ panelURL, dashboardURL, silenceURL, status }: Alert) =>
  [
    panelURL ? link('panel', panelURL) : dashboardURL && link('dashboard', dashboardURL),
    status === 'firing' && silenceURL && link('silence', silenceURL),
  ].filter(Boolean);

function describe(alert: Alert, common: Record<string, string>): string {
  const { annotations, labels, generatorURL, status } = alert;
  const what =
    lookUp(annotations, 'summary') ??
    lookUp(annotations, 'description') ??
    lookUp(labels, 'alertname') ??
    'Alert';
  const where = place(alert, common);
  const pages = pagesOf(alert).map((page) => ` · ${page}`);
  return `${signs[status]} ${link(what, generatorURL)}${where === '' ? '' : ` (${where})`}${pages.join('')}`;
}

/** Tells of a group of alerts. */
export function tellOfAlerts(payload: unknown): Told {
  const { status, receiver, groupLabels, commonLabels, externalURL, alerts, truncatedAlerts } =
    Payload.parse(payload);
  const name = lookUp(groupLabels, 'alertname') ?? lookUp(commonLabels, 'alertname') ?? receiver;
  const left = truncatedAlerts > 0 ? `\n\n${truncatedAlerts} more alerts were left out.` : '';
  return {
    topic: name === '' ? 'alerts' : name,
    content: `**${status === 'firing' ? 'Firing' : 'Resolved'}**: ${link(name === '' ? 'alerts' : name, externalURL)}${list(
      alerts.map((alert) => describe(alert, commonLabels)),
    )}${left}`,
  };
}

/** Reads whether a group fires. */
export const statusOf = (payload: unknown): string => Payload.parse(payload).status;

export const alertKinds = { firing: 'Alerts began to fire', resolved: 'Alerts were resolved' };
