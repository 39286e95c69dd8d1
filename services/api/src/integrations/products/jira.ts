import { z } from 'zod';

import { type EventKind, type Told, integration } from '../integration.ts';
import { facts, inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/jira.ts';
import { hmac } from '../signatures.ts';

const User = z.object({ displayName: z.string() }).nullish();
const Named = z.object({ name: z.string() }).nullish();

const Issue = z.object({
  self: z.string().nullish(),
  key: z.string(),
  fields: z.object({
    summary: z.string(),
    // Jira Cloud may send a document here in place of a text.
    description: z.unknown().optional(),
    issuetype: Named,
    priority: Named,
    status: Named,
    assignee: User,
  }),
});
type Issue = z.infer<typeof Issue>;

const Common = z.object({ webhookEvent: z.string(), user: User });

/** The page of an issue, on the server whose address the API has. */
function pageOf(self: string | null | undefined, path: string): string | undefined {
  const at = self?.indexOf('/rest/') ?? -1;
  return self && at > 0 ? `${self.slice(0, at)}${path}` : undefined;
}

const topicOf = ({ key, fields }: Issue) => `${key} ${fields.summary}`;
const nameOf = ({ self, key }: Issue) => link(key, pageOf(self, `/browse/${encodeURIComponent(key)}`));
const textOf = (text: unknown) => (typeof text === 'string' ? quote(text) : '');

const Changelog = z.object({
  changelog: z
    .object({
      items: z.array(
        z.object({
          field: z.string(),
          fromString: z.string().nullish(),
          toString: z.string().nullish().catch(null),
        }),
      ),
    })
    .nullish(),
  comment: z.object({ body: z.unknown(), author: User }).nullish(),
});

const issue =
  (verb: string): EventKind['tell'] =>
  (payload) => {
    const { user } = Common.parse(payload);
    const { issue: one } = z.object({ issue: Issue }).parse(payload);
    const { changelog, comment } = Changelog.parse(payload);
    const by = inline((user ?? comment?.author)?.displayName ?? 'Somebody');
    const { fields } = one;
    const changes = Object.fromEntries(
      (changelog?.items ?? [])
        .filter(({ field }) => field !== 'description')
        .map(({ field, fromString, toString }) => [
          inline(field),
          `${fromString || 'none'} → ${toString || 'none'}`,
        ]),
    );
    const shown =
      verb === 'created'
        ? facts({
            Type: fields.issuetype?.name,
            Priority: fields.priority?.name,
            Assignee: fields.assignee?.displayName,
          })
        : facts(verb === 'updated' ? changes : {});
    const text = verb === 'created' ? textOf(fields.description) : textOf(comment?.body);
    return {
      topic: topicOf(one),
      content: `${by} ${verb} ${nameOf(one)}: ${inline(fields.summary)}${shown}${text}`,
    };
  };

const Comment = z.object({
  issue: Issue,
  comment: z.object({ body: z.unknown(), author: User, updateAuthor: User }),
});

const comment =
  (verb: string): EventKind['tell'] =>
  (payload) => {
    const { issue: one, comment: said } = Comment.parse(payload);
    const author = verb === 'commented' ? said.author : (said.updateAuthor ?? said.author);
    return {
      topic: topicOf(one),
      content: `${inline(author?.displayName ?? 'Somebody')} ${verb} on ${nameOf(one)}${
        verb === 'deleted a comment' ? '.' : `:${textOf(said.body)}`
      }`,
    };
  };

const Sprint = z.object({ sprint: z.object({ name: z.string(), goal: z.string().nullish() }) });

const sprint =
  (verb: string): EventKind['tell'] =>
  (payload) => {
    const { sprint: one } = Sprint.parse(payload);
    return { topic: one.name, content: `The sprint **${inline(one.name)}** was ${verb}.${quote(one.goal)}` };
  };

const Version = z.object({ version: z.object({ name: z.string(), description: z.string().nullish() }) });

const version =
  (verb: string) =>
  (payload: unknown): Told => {
    const { version: one } = Version.parse(payload);
    return {
      topic: 'versions',
      content: `The version **${inline(one.name)}** was ${verb}.${quote(one.description)}`,
    };
  };

/** Projects in Jira. */
export const jira = integration({
  name: 'jira',
  displayName: 'Jira',
  field: 'work',
  documentation: 'https://developer.atlassian.com/cloud/jira/platform/webhooks/',
  where: 'Settings › System › WebHooks › Create a WebHook',
  signature: hmac({ header: 'X-Hub-Signature', prefix: 'sha256=' }),
  event: (payload) => Common.parse(payload).webhookEvent,
  events: {
    'jira:issue_created': { description: 'An issue was created', tell: issue('created') },
    'jira:issue_updated': { description: 'An issue was changed', tell: issue('updated') },
    'jira:issue_deleted': { description: 'An issue was deleted', tell: issue('deleted') },
    comment_created: { description: 'Somebody commented', tell: comment('commented') },
    comment_updated: { description: 'A comment was edited', tell: comment('edited a comment') },
    comment_deleted: { description: 'A comment was deleted', tell: comment('deleted a comment') },
    sprint_created: { description: 'A sprint was created', tell: sprint('created') },
    sprint_started: { description: 'A sprint was started', tell: sprint('started') },
    sprint_closed: { description: 'A sprint was closed', tell: sprint('closed') },
    'jira:version_created': { description: 'A version was created', tell: version('created') },
    'jira:version_released': { description: 'A version was released', tell: version('released') },
  },
  samples,
});
