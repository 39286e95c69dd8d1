import { z } from 'zod';

import { type Told, integration } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/incidents.ts';

const Page = z.object({ page: z.object({ id: z.string(), status_description: z.string().nullish() }) });

const Incident = z.object({
  incident: z.object({
    name: z.string(),
    status: z.string(),
    impact: z.string().nullish(),
    shortlink: z.string().nullish(),
    incident_updates: z.array(z.object({ body: z.string().nullish() })).default([]),
  }),
});

const Component = z.object({
  component: z.object({ name: z.string() }),
  component_update: z.object({ old_status: z.string().nullish(), new_status: z.string() }),
});

const signs: Record<string, string> = {
  resolved: ':check:',
  completed: ':check:',
  postmortem: ':memo:',
  scheduled: ':calendar:',
  operational: ':check:',
  major_outage: ':rotating_light:',
};
const signOf = (status: string) => lookUp(signs, status) ?? ':warning:';
const words = (status: string) => inline(status.replaceAll('_', ' '));

function incident(payload: unknown): Told {
  const { incident: one } = Incident.parse(payload);
  const impact = one.impact && one.impact !== 'none' ? `, impact ${words(one.impact)}` : '';
  return {
    topic: one.name,
    content: `${signOf(one.status)} ${link(one.name, one.shortlink)}: **${words(one.status)}**${impact}${quote(one.incident_updates[0]?.body)}`,
  };
}

function component(payload: unknown): Told {
  const { component: one, component_update: update } = Component.parse(payload);
  const from = update.old_status ? ` (was ${words(update.old_status)})` : '';
  return {
    topic: one.name,
    content: `${signOf(update.new_status)} **${inline(one.name)}** is ${words(update.new_status)}${from}.`,
  };
}

/** Pages of Atlassian Statuspage. */
export const statuspage = integration({
  name: 'statuspage',
  displayName: 'Statuspage',
  field: 'alerts',
  documentation: 'https://support.atlassian.com/statuspage/docs/enable-webhook-notifications/',
  where: 'the status page › Subscribe to updates › Webhook',
  event(payload) {
    Page.parse(payload);
    return Incident.safeParse(payload).success ? 'incident' : (Component.parse(payload), 'component_update');
  },
  events: {
    incident: { description: 'An incident or maintenance was published or updated', tell: incident },
    component_update: { description: 'The status of a component has changed', tell: component },
  },
  samples: samples.statuspage,
});
