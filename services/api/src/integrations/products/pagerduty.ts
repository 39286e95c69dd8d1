import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { facts, inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/incidents.ts';
import { hmac } from '../signatures.ts';

const Reference = z.object({ summary: z.string().nullish(), html_url: z.string().nullish() });

const Payload = z.object({
  event: z.object({
    event_type: z.string(),
    agent: Reference.nullish(),
    data: z
      .object({
        number: z.number().nullish(),
        title: z.string().nullish(),
        summary: z.string().nullish(),
        html_url: z.string().nullish(),
        urgency: z.string().nullish(),
        service: Reference.nullish(),
        priority: Reference.nullish(),
        assignees: z.array(Reference).nullish(),
        incident: Reference.nullish(),
        content: z.string().nullish(),
        message: z.string().nullish(),
        user: Reference.nullish(),
        escalation_policy: Reference.nullish(),
      })
      .loose(),
  }),
});

/** What is said of an incident, before its name. */
const verbs: Record<string, string> = {
  'incident.triggered': ':rotating_light: Triggered',
  'incident.acknowledged': ':eyes: Acknowledged',
  'incident.unacknowledged': ':rotating_light: No longer acknowledged',
  'incident.resolved': ':check: Resolved',
  'incident.reopened': ':rotating_light: Reopened',
  'incident.escalated': ':warning: Escalated',
  'incident.delegated': 'Delegated',
  'incident.reassigned': 'Reassigned',
  'incident.priority_updated': 'Priority changed',
  'incident.annotated': 'Note on',
  'incident.responder.added': 'Responder asked for',
  'incident.responder.replied': 'A responder replied for',
  'incident.status_update_published': 'Status of',
};

function incident(payload: unknown, type: string): Told {
  const { agent, data } = Payload.parse(payload).event;
  const { incident: parent, title, summary, html_url, number, service, assignees, priority, urgency } = data;
  const name = parent?.summary ?? title ?? summary ?? 'incident';
  const of = link(number ? `#${number} ${name}` : name, parent ? parent.html_url : html_url);
  const by = agent?.summary ? ` by ${inline(agent.summary)}` : '';
  return {
    topic: service?.summary ?? name,
    content: `${verbs[type] ?? ''} ${of}${by}${facts({
      Service: service?.summary,
      Urgency: type === 'incident.triggered' ? urgency : null,
      Priority: priority?.summary,
      'Assigned to': assignees?.flatMap((one) => one.summary ?? []).join(', '),
      Responder: data.user?.summary,
      'Escalation policy': type === 'incident.escalated' ? data.escalation_policy?.summary : null,
    })}${quote(data.content ?? data.message)}`,
  };
}

const service =
  (verb: string) =>
  (payload: unknown): Told => {
    const { agent, data } = Payload.parse(payload).event;
    const name = data.summary ?? data.title ?? 'service';
    const by = agent?.summary ? ` by ${inline(agent.summary)}` : '';
    return { topic: name, content: `The service ${link(name, data.html_url)} was ${verb}${by}.` };
  };

/** Incidents of PagerDuty, as webhooks of version 3 tell of them. */
export const pagerduty = integration({
  name: 'pagerduty',
  displayName: 'PagerDuty',
  field: 'alerts',
  documentation: 'https://developer.pagerduty.com/docs/webhooks-overview',
  where: 'Integrations › Generic Webhooks (v3) › New Webhook',
  signature: hmac({ header: 'X-PagerDuty-Signature', prefix: 'v1=' }),
  event: (payload) => Payload.parse(payload).event.event_type,
  events: {
    ...kinds(
      {
        'incident.triggered': 'An incident was triggered',
        'incident.acknowledged': 'An incident was acknowledged',
        'incident.unacknowledged': 'The time to act on an incident is over',
        'incident.resolved': 'An incident was resolved',
        'incident.reopened': 'An incident was reopened',
        'incident.escalated': 'An incident was escalated',
        'incident.delegated': 'An incident was given to another policy',
        'incident.reassigned': 'An incident was given to other people',
        'incident.priority_updated': 'The priority of an incident has changed',
        'incident.annotated': 'Somebody wrote a note',
        'incident.responder.added': 'Somebody was asked to respond',
        'incident.responder.replied': 'Somebody replied to that',
        'incident.status_update_published': 'A status update was published',
      },
      incident,
    ),
    'service.created': { description: 'A service was created', tell: service('created') },
    'service.updated': { description: 'A service was changed', tell: service('updated') },
    'service.deleted': { description: 'A service was deleted', tell: service('deleted') },
    'pagey.ping': {
      description: 'The webhook was tried',
      tell: () => ({ topic: 'PagerDuty', content: 'PagerDuty sends here from now on.' }),
    },
  },
  samples: samples.pagerduty,
});
