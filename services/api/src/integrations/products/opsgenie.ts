import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { facts, inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/incidents.ts';

const Payload = z.object({
  action: z.string(),
  integrationName: z.string().nullish(),
  alert: z.object({
    alertId: z.string(),
    tinyId: z.string().nullish(),
    message: z.string(),
    description: z.string().nullish(),
    username: z.string().nullish(),
    priority: z.string().nullish(),
    entity: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    team: z.string().nullish(),
    recipient: z.string().nullish(),
    owner: z.string().nullish(),
    note: z.string().nullish(),
  }),
});

const verbs: Record<string, string> = {
  Create: ':rotating_light: New alert',
  Acknowledge: ':eyes: Acknowledged',
  UnAcknowledge: ':rotating_light: No longer acknowledged',
  Close: ':check: Closed',
  Escalate: ':warning: Escalated',
  AddNote: 'Note on',
  AssignOwnership: 'Assigned',
  TakeOwnership: 'Taken over',
  AddTeam: 'Team added to',
  AddRecipient: 'Recipient added to',
  AddTags: 'Tags added to',
  RemoveTags: 'Tags removed from',
  UpdatePriority: 'Priority changed of',
  Snooze: ':zzz: Snoozed',
  Delete: ':wastebasket: Deleted',
};

function tell(payload: unknown, action: string): Told {
  const { alert } = Payload.parse(payload);
  const name = `${alert.tinyId ? `#${alert.tinyId} ` : ''}${alert.message}`;
  const address = `https://app.opsgenie.com/alert/detail/${encodeURIComponent(alert.alertId)}/details`;
  const by = alert.username && action !== 'Create' ? ` by ${inline(alert.username)}` : '';
  const text = action === 'Create' ? alert.description : alert.note;
  return {
    topic: alert.message,
    content: `${verbs[action] ?? ''} ${link(name, address)}${by}${facts({
      Priority: alert.priority,
      Entity: alert.entity,
      To: alert.owner ?? alert.recipient ?? alert.team,
      Tags: alert.tags?.join(', '),
    })}${quote(text)}`,
  };
}

/** Alerts of Opsgenie. */
export const opsgenie = integration({
  name: 'opsgenie',
  displayName: 'Opsgenie',
  field: 'alerts',
  documentation: 'https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data/',
  where: 'Settings › Integrations › Add integration › Webhook',
  event: (payload) => Payload.parse(payload).action,
  events: kinds(
    {
      Create: 'An alert was created',
      Acknowledge: 'An alert was acknowledged',
      UnAcknowledge: 'An acknowledgement was withdrawn',
      Close: 'An alert was closed',
      Escalate: 'An alert was escalated',
      AddNote: 'Somebody wrote a note',
      AssignOwnership: 'An alert was assigned',
      TakeOwnership: 'Somebody took an alert over',
      AddTeam: 'A team was added',
      AddRecipient: 'A recipient was added',
      AddTags: 'Tags were added',
      RemoveTags: 'Tags were removed',
      UpdatePriority: 'A priority has changed',
      Snooze: 'An alert was snoozed',
      Delete: 'An alert was deleted',
    },
    tell,
  ),
  samples: samples.opsgenie,
});
