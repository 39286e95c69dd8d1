import { z } from 'zod';

import { type EventKind, type Told, integration } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/sentry.ts';
import { hmac } from '../signatures.ts';

const signs: Record<string, string> = {
  fatal: ':rotating_light:',
  error: ':cross_mark:',
  critical: ':rotating_light:',
  warning: ':warning:',
  resolved: ':check:',
};
const signOf = (level: string | null | undefined) => lookUp(signs, level) ?? ':information:';

const Action = z.object({ action: z.string(), actor: z.object({ name: z.string().nullish() }).nullish() });

const Alert = z.object({
  data: z.object({
    triggered_rule: z.string().nullish(),
    event: z.object({
      title: z.string(),
      culprit: z.string().nullish(),
      level: z.string().nullish(),
      web_url: z.string().nullish(),
      environment: z.string().nullish(),
      message: z.string().nullish(),
    }),
  }),
});

function alert(payload: unknown): Told {
  const { event, triggered_rule: rule } = Alert.parse(payload).data;
  const where = event.environment ? ` in ${inline(event.environment)}` : '';
  const by = rule ? ` (rule ${inline(rule)})` : '';
  return {
    topic: event.title,
    content: `${signOf(event.level)} ${link(event.title, event.web_url)}${where}${by}${quote(event.culprit || event.message)}`,
  };
}

const Issue = z.object({
  data: z.object({
    issue: z.object({
      shortId: z.string().nullish(),
      title: z.string(),
      culprit: z.string().nullish(),
      level: z.string().nullish(),
      permalink: z.string().nullish(),
      web_url: z.string().nullish(),
      assignedTo: z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
    }),
  }),
});

function issue(payload: unknown): Told | null {
  const { action, actor } = Action.parse(payload);
  const one = Issue.parse(payload).data.issue;
  const who = inline(actor?.name ?? 'Sentry');
  const assignee = inline(one.assignedTo?.name ?? one.assignedTo?.email ?? 'somebody');
  const verbs: Record<string, string> = {
    created: `${signOf(one.level)} New`,
    resolved: `:check: ${who} resolved`,
    assigned: `${who} assigned ${assignee} to`,
    archived: `${who} archived`,
    ignored: `${who} archived`,
    unresolved: `${signOf(one.level)} ${who} reopened`,
  };
  const verb = lookUp(verbs, action);
  if (verb === undefined) return null;
  const name = link(one.shortId ?? 'issue', one.web_url ?? one.permalink);
  return {
    topic: one.title,
    content: `${verb} ${name}: ${inline(one.title)}${action === 'created' ? quote(one.culprit) : ''}`,
  };
}

const Metric = z.object({
  data: z.object({
    description_title: z.string(),
    description_text: z.string().nullish(),
    web_url: z.string().nullish(),
    metric_alert: z.object({ title: z.string().nullish() }).nullish(),
  }),
});

function metric(payload: unknown): Told {
  const { action } = Action.parse(payload);
  const { description_title, description_text, web_url, metric_alert } = Metric.parse(payload).data;
  return {
    topic: metric_alert?.title ?? description_title,
    content: `${signOf(action)} ${link(description_title, web_url)}${quote(description_text)}`,
  };
}

const Comment = z.object({
  data: z.object({
    comment: z.string(),
    project_slug: z.string().nullish(),
    issue_id: z.union([z.number(), z.string()]),
  }),
});

function comment(payload: unknown): Told | null {
  const { action, actor } = Action.parse(payload);
  const { comment: text, project_slug, issue_id } = Comment.parse(payload).data;
  const verb = lookUp(
    { created: 'commented', updated: 'edited a comment', deleted: 'deleted a comment' },
    action,
  );
  if (verb === undefined) return null;
  return {
    topic: `${project_slug ?? 'Sentry'} / issue ${issue_id}`,
    content: `${inline(actor?.name ?? 'Somebody')} ${verb} on issue ${issue_id}${action === 'deleted' ? '.' : `:${quote(text)}`}`,
  };
}

const Failure = z.object({
  data: z.object({
    error: z.object({
      title: z.string(),
      culprit: z.string().nullish(),
      level: z.string().nullish(),
      web_url: z.string().nullish(),
    }),
  }),
});

function failure(payload: unknown): Told {
  const { error } = Failure.parse(payload).data;
  return {
    topic: error.title,
    content: `${signOf(error.level)} ${link(error.title, error.web_url)}${quote(error.culprit)}`,
  };
}

const installation: EventKind['tell'] = (payload) => {
  const { action } = Action.parse(payload);
  return ['created', 'deleted'].includes(action)
    ? {
        topic: 'Sentry',
        content: `The integration was ${action === 'created' ? 'installed' : 'removed'} in Sentry.`,
      }
    : null;
};

/** Issues and alerts of Sentry, as an internal integration sends them. */
export const sentry = integration({
  name: 'sentry',
  displayName: 'Sentry',
  field: 'alerts',
  documentation: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
  where: 'Settings › Developer Settings › Create New Integration › Internal › Webhook URL, Alert Rule Action',
  signature: hmac({ header: 'Sentry-Hook-Signature' }),
  event: { header: 'Sentry-Hook-Resource' },
  detail: (payload) => Action.parse(payload).action,
  events: {
    installation: { description: 'The integration was installed or removed', tell: installation },
    event_alert: { description: 'An issue alert was triggered', tell: alert },
    issue: { description: 'An issue is new, resolved, assigned, archived or open again', tell: issue },
    metric_alert: { description: 'A metric alert was triggered or resolved', tell: metric },
    comment: { description: 'Somebody commented on an issue', tell: comment },
    error: { description: 'Every single error', tell: failure },
  },
  samples,
});
