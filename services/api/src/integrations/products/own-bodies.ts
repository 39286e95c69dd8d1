import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { facts, inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/own-bodies.ts';

const Text = z.union([z.string(), z.number()]).transform(String);
const bodyOf = (fields: object) => JSON.stringify(fields, null, 2);

const Zabbix = z.object({
  name: z.string(),
  host: z.string().nullish(),
  severity: z.string().nullish(),
  value: Text,
  update_status: Text.nullish(),
  update_message: z.string().nullish(),
  update_user: z.string().nullish(),
  item: z.string().nullish(),
  url: z.string().nullish(),
});

const zabbixEvent = (payload: unknown) => {
  const { value, update_status } = Zabbix.parse(payload);
  if (update_status === '1') return 'update';
  return value === '0' ? 'recovery' : 'problem';
};

function tellOfZabbix(payload: unknown, event: string): Told {
  const one = Zabbix.parse(payload);
  const name = link(one.name, one.url);
  const said: Record<string, string> = {
    problem: `:rotating_light: ${name}`,
    recovery: `:check: Resolved: ${name}`,
    update: `${inline(one.update_user ?? 'Somebody')} updated ${name}`,
  };
  return {
    topic: one.host || one.name,
    content: `${said[event] ?? ''}${facts({ Host: one.host, Severity: one.severity, Item: one.item })}${event === 'update' ? quote(one.update_message) : ''}`,
  };
}

/** Problems that Zabbix finds, as a media type of the kind “webhook” posts them. */
export const zabbix = integration({
  name: 'zabbix',
  displayName: 'Zabbix',
  field: 'alerts',
  documentation: 'https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook',
  where: 'Alerts › Media types › Create media type › Webhook, whose script posts its parameters as JSON',
  body: bodyOf({
    name: '{EVENT.NAME}',
    host: '{HOST.NAME}',
    severity: '{EVENT.SEVERITY}',
    value: '{EVENT.VALUE}',
    update_status: '{EVENT.UPDATE.STATUS}',
    update_message: '{EVENT.UPDATE.MESSAGE}',
    update_user: '{USER.FULLNAME}',
    item: '{ITEM.NAME}: {ITEM.LASTVALUE}',
    url: '{$ZABBIX.URL}/tr_events.php?triggerid={TRIGGER.ID}&eventid={EVENT.ID}',
  }),
  event: zabbixEvent,
  events: kinds(
    { problem: 'A problem began', recovery: 'A problem was resolved', update: 'Somebody updated a problem' },
    tellOfZabbix,
  ),
  samples: samples.zabbix,
});

const Relic = z.object({
  title: z
    .union([z.string(), z.array(z.string())])
    .transform((title) => (typeof title === 'string' ? title : title.join(', '))),
  issueUrl: z.string().nullish(),
  state: z.string(),
  priority: z.string().nullish(),
  impactedEntities: z.array(z.string()).nullish(),
  totalIncidents: Text.nullish(),
  workflowName: z.string().nullish(),
  alertPolicyNames: z.array(z.string()).nullish(),
  alertConditionNames: z.array(z.string()).nullish(),
});

const relicSigns: Record<string, string> = {
  CREATED: ':warning: Created',
  ACTIVATED: ':rotating_light: Active',
  ACKNOWLEDGED: ':eyes: Acknowledged',
  CLOSED: ':check: Closed',
};

function tellOfRelic(payload: unknown, state: string): Told {
  const one = Relic.parse(payload);
  return {
    topic: one.alertPolicyNames?.[0] || one.title,
    content: `${relicSigns[state] ?? ''}: ${link(one.title, one.issueUrl)}${facts({
      Priority: one.priority,
      Affects: one.impactedEntities?.join(', '),
      Policy: one.alertPolicyNames?.join(', '),
      Condition: one.alertConditionNames?.join(', '),
    })}`,
  };
}

/** Issues of New Relic, as its own template for webhooks has them. */
export const newrelic = integration({
  name: 'newrelic',
  displayName: 'New Relic',
  field: 'alerts',
  documentation: 'https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook',
  where:
    'Alerts › Destinations › Webhook, and Alerts › Workflows › Notify › Webhook with the template that is there',
  event: (payload) => Relic.parse(payload).state,
  events: kinds(
    {
      CREATED: 'An issue was created',
      ACTIVATED: 'An issue has become active',
      ACKNOWLEDGED: 'An issue was acknowledged',
      CLOSED: 'An issue was closed',
    },
    tellOfRelic,
  ),
  samples: samples.newrelic,
});

const Dog = z.object({
  title: z.string(),
  body: z.string().nullish(),
  transition: z.string().nullish(),
  type: z.string().nullish(),
  link: z.string().nullish(),
  priority: z.string().nullish(),
  host: z.string().nullish(),
});

const dogTransitions: Record<string, [event: string, sign: string]> = {
  triggered: ['triggered', ':rotating_light:'],
  're-triggered': ['triggered', ':rotating_light:'],
  warn: ['warn', ':warning:'],
  're-warn': ['warn', ':warning:'],
  'no data': ['no_data', ':question:'],
  're-no data': ['no_data', ':question:'],
  recovered: ['recovered', ':check:'],
  renotify: ['renotify', ':rotating_light:'],
};

const dogEvent = (payload: unknown) =>
  lookUp(dogTransitions, Dog.parse(payload).transition?.toLowerCase())?.[0] ?? 'event';

function tellOfDog(payload: unknown): Told {
  const one = Dog.parse(payload);
  const sign = lookUp(dogTransitions, one.transition?.toLowerCase())?.[1] ?? ':information:';
  // Datadog fences the text of a monitor in these.
  const text = (one.body ?? '').replace(/^\s*%%%\s*|\s*%%%\s*$/g, '');
  return {
    topic: one.title.replace(/^\[[^\]]{1,40}\]\s*/, ''),
    content: `${sign} ${link(one.title, one.link)}${facts({ Priority: one.priority, Host: one.host })}${quote(text)}`,
  };
}

/** Monitors and events of Datadog. */
export const datadog = integration({
  name: 'datadog',
  displayName: 'Datadog',
  field: 'alerts',
  documentation: 'https://docs.datadoghq.com/integrations/webhooks/',
  where: 'Integrations › Webhooks › New; monitors then name @webhook-…',
  body: bodyOf({
    title: '$EVENT_TITLE',
    body: '$EVENT_MSG',
    transition: '$ALERT_TRANSITION',
    type: '$EVENT_TYPE',
    link: '$LINK',
    priority: '$ALERT_PRIORITY',
    host: '$HOSTNAME',
  }),
  event: dogEvent,
  events: kinds(
    {
      triggered: 'A monitor has triggered',
      warn: 'A monitor warns',
      no_data: 'A monitor has no data',
      recovered: 'A monitor has recovered',
      renotify: 'A monitor says again that it has triggered',
      event: 'Any other event',
    },
    tellOfDog,
  ),
  samples: samples.datadog,
});
