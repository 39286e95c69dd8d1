import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { facts, inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/work.ts';
import { hmac } from '../signatures.ts';

const Named = z.object({ name: z.string() }).nullish();

const Payload = z.object({
  action: z.string(),
  type: z.string(),
  actor: Named,
  url: z.string().nullish(),
  data: z
    .object({
      identifier: z.string().nullish(),
      title: z.string().nullish(),
      name: z.string().nullish(),
      body: z.string().nullish(),
      description: z.string().nullish(),
      emoji: z.string().nullish(),
      health: z.string().nullish(),
      priorityLabel: z.string().nullish(),
      number: z.number().nullish(),
      state: z.union([Named, z.string()]),
      assignee: Named,
      team: Named,
      project: Named,
      issue: z.object({ identifier: z.string().nullish(), title: z.string() }).nullish(),
      user: Named,
    })
    .loose(),
});
type Payload = z.infer<typeof Payload>;

const verbs: Record<string, string> = { create: 'created', update: 'updated', remove: 'removed' };

/** What the event is about, as a topic and in the line. */
function subjectOf({ type, url, data }: Payload): { topic: string; what: string } {
  const { issue, project, identifier, title, name } = data;
  if (type === 'Comment' || type === 'Reaction') {
    const on = issue
      ? `${issue.identifier ? `${issue.identifier} ` : ''}${issue.title}`
      : (project?.name ?? 'Linear');
    return {
      topic: on,
      what: `${link(type === 'Comment' ? 'a comment' : `:${data.emoji ?? 'reaction'}:`, url)} on ${inline(on)}`,
    };
  }
  if (type === 'ProjectUpdate')
    return {
      topic: project?.name ?? 'projects',
      what: `${link('an update', url)} of ${inline(project?.name ?? 'a project')}`,
    };
  const called = name ?? title ?? (data.number ? `#${data.number}` : type);
  const topic = identifier ? `${identifier} ${called}` : called;
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return { topic, what: `the ${inline(words)} ${link(topic, url)}` };
}

function tell(payload: unknown): Told | null {
  const event = Payload.parse(payload);
  const { action, type, actor, data } = event;
  const verb = lookUp(verbs, action);
  if (verb === undefined) return null;
  const { topic, what } = subjectOf(event);
  const known =
    type === 'Issue' && action !== 'remove'
      ? facts({
          Team: action === 'create' ? data.team?.name : null,
          State: typeof data.state === 'string' ? data.state : data.state?.name,
          Priority: data.priorityLabel,
          Assignee: data.assignee?.name,
        })
      : facts({ Health: data.health });
  const text = action === 'create' || type === 'Comment' ? quote(data.body ?? data.description) : '';
  return {
    topic,
    content: `${inline((actor ?? data.user)?.name ?? 'Somebody')} ${verb} ${what}.${known}${action === 'remove' ? '' : text}`,
  };
}

/** Issues and projects of Linear. */
export const linear = integration({
  name: 'linear',
  displayName: 'Linear',
  field: 'work',
  documentation: 'https://linear.app/developers/webhooks',
  where: 'Settings › API › Webhooks › New webhook',
  signature: hmac({ header: 'Linear-Signature' }),
  event: (payload) => Payload.parse(payload).type,
  detail: (payload) => Payload.parse(payload).action,
  events: kinds(
    {
      Issue: 'An issue was created, changed or removed',
      Comment: 'Somebody commented',
      Reaction: 'Somebody reacted',
      IssueLabel: 'A label was created or changed',
      Project: 'A project was created or changed',
      ProjectUpdate: 'An update of a project was written',
      Cycle: 'A cycle was created or changed',
      Document: 'A document was created or changed',
      Initiative: 'An initiative was created or changed',
    },
    tell,
  ),
  samples: samples.linear,
});
