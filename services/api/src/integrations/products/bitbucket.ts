import { z } from 'zod';

import { type EventKind, type Told, integration } from '../integration.ts';
import { inline, link, list, quote } from '../markdown.ts';
import { samples } from '../samples/bitbucket.ts';
import { hmac } from '../signatures.ts';

const Link = z.object({ html: z.object({ href: z.string() }) });
const User = z.object({ display_name: z.string() });

const Common = z.object({
  actor: User.nullish(),
  repository: z.object({ name: z.string(), full_name: z.string(), links: Link }),
});
type Common = z.infer<typeof Common>;
type Parser = (payload: unknown, common: Common) => Told | null;

const by = ({ actor }: Common) => inline(actor?.display_name ?? 'Somebody');

const Reference = z.object({ type: z.string(), name: z.string() }).nullish();
const Push = z.object({
  push: z.object({
    changes: z
      .array(
        z.object({
          new: Reference,
          old: Reference,
          forced: z.boolean().nullish(),
          truncated: z.boolean().nullish(),
          commits: z
            .array(z.object({ hash: z.string(), message: z.string(), links: Link.nullish() }))
            .default([]),
          links: z.object({ html: z.object({ href: z.string() }).nullish() }).nullish(),
        }),
      )
      .min(1),
  }),
});

const push: Parser = (payload, common) => {
  const { changes } = Push.parse(payload).push;
  const told = changes.slice(0, 10).map((change) => {
    const { new: now, old, forced, truncated, commits, links } = change;
    const what = `the ${inline((now ?? old)?.type.replace('_', ' ') ?? 'branch')} ${inline((now ?? old)?.name ?? '')}`;
    if (!now) return `${by(common)} deleted ${what}.`;
    if (now.type === 'tag') return `${by(common)} pushed ${what}.`;
    const number = `${commits.length}${truncated ? '+' : ''} commit${commits.length === 1 ? '' : 's'}`;
    const verb = link(`${forced ? 'force-pushed' : 'pushed'} ${number}`, links?.html?.href);
    const lines = commits.map(({ hash, message, links: of }) => {
      const [subject = ''] = message.split('\n');
      return `${inline(subject)} (${link(hash.slice(0, 11), of?.html.href)})`;
    });
    return `${by(common)} ${verb} to ${old ? 'branch' : 'the new branch'} ${inline(now.name)}.${list(lines)}`;
  });
  const [first] = changes;
  const name = (first?.new ?? first?.old)?.name;
  const topic = changes.length === 1 && name ? `${common.repository.name} / ${name}` : common.repository.name;
  return { topic, content: told.join('\n\n') };
};

const Titled = z.object({ id: z.number(), title: z.string(), links: Link });
const Comment = z.object({ content: z.object({ raw: z.string().nullish() }), links: Link });

const topicOf = ({ repository }: Common, kind: string, { id, title }: z.infer<typeof Titled>) =>
  `${repository.name} / ${kind} #${id} ${title}`;
const nameOf = (kind: string, { id, links }: z.infer<typeof Titled>) =>
  link(`${kind} #${id}`, links.html.href);

const PullRequest = Titled.extend({
  description: z.string().nullish(),
  source: z.object({ branch: z.object({ name: z.string() }) }).nullish(),
  destination: z.object({ branch: z.object({ name: z.string() }) }).nullish(),
});

const pullRequest =
  (verb: string): Parser =>
  (payload, common) => {
    const { pullrequest: pr } = z.object({ pullrequest: PullRequest }).parse(payload);
    const isNew = verb === 'opened';
    const branches =
      isNew && pr.source && pr.destination
        ? ` from ${inline(pr.source.branch.name)} to ${inline(pr.destination.branch.name)}`
        : '';
    return {
      topic: topicOf(common, 'PR', pr),
      content: `${by(common)} ${verb} ${nameOf('PR', pr)}${branches}: ${inline(pr.title)}${isNew ? quote(pr.description) : ''}`,
    };
  };

const comment =
  (verb: string, of: 'pullrequest' | 'issue'): Parser =>
  (payload, common) => {
    const { comment: one } = z.object({ comment: Comment }).parse(payload);
    const on = z.object({ [of]: Titled }).parse(payload)[of];
    const name = of === 'issue' ? 'issue' : 'PR';
    if (!on) return null;
    return {
      topic: topicOf(common, name, on),
      content: `${by(common)} ${link(verb, one.links.html.href)} on ${nameOf(name, on)}${
        verb === 'deleted a comment' ? '.' : `:${quote(one.content.raw)}`
      }`,
    };
  };

const Issue = Titled.extend({ content: z.object({ raw: z.string().nullish() }).nullish() });

const issue =
  (verb: string): Parser =>
  (payload, common) => {
    const { issue: one } = z.object({ issue: Issue }).parse(payload);
    const text = verb === 'opened' ? quote(one.content?.raw) : '';
    return {
      topic: topicOf(common, 'issue', one),
      content: `${by(common)} ${verb} ${nameOf('issue', one)}: ${inline(one.title)}${text}`,
    };
  };

const commitComment: Parser = (payload, common) => {
  const { comment: one, commit } = z
    .object({ comment: Comment, commit: z.object({ hash: z.string() }) })
    .parse(payload);
  const hash = commit.hash.slice(0, 11);
  return {
    topic: `${common.repository.name} / ${hash}`,
    content: `${by(common)} ${link('commented', one.links.html.href)} on ${inline(hash)}:${quote(one.content.raw)}`,
  };
};

const Status = z.object({
  commit_status: z.object({
    name: z.string().nullish(),
    key: z.string(),
    state: z.string(),
    url: z.string(),
    refname: z.string().nullish(),
  }),
});

const statuses: Record<string, string> = {
  SUCCESSFUL: ':check: succeeded',
  FAILED: ':cross_mark: failed',
  STOPPED: ':prohibited: was stopped',
};

const status: Parser = (payload, common) => {
  const { commit_status: one } = Status.parse(payload);
  const outcome = Object.hasOwn(statuses, one.state) ? statuses[one.state] : undefined;
  if (outcome === undefined) return null;
  const branch = one.refname ? ` on ${inline(one.refname)}` : '';
  return {
    topic: `${common.repository.name} / ${one.refname ?? 'builds'}`,
    content: `${link(one.name || one.key, one.url)}${branch} ${outcome}.`,
  };
};

const fork: Parser = (payload, common) => {
  const { fork: one } = z.object({ fork: z.object({ full_name: z.string(), links: Link }) }).parse(payload);
  return {
    topic: `${common.repository.name} / forks`,
    content: `${by(common)} forked the repository to ${link(one.full_name, one.links.html.href)}.`,
  };
};

const kind = (description: string, parser: Parser): EventKind => ({
  description,
  tell: (payload) => parser(payload, Common.parse(payload)),
});

/** Repositories on Bitbucket Cloud. */
export const bitbucket = integration({
  name: 'bitbucket',
  displayName: 'Bitbucket',
  field: 'code',
  documentation: 'https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/',
  where: 'Repository settings › Webhooks › Add webhook',
  signature: hmac({ header: 'X-Hub-Signature', prefix: 'sha256=' }),
  event: { header: 'X-Event-Key' },
  events: {
    'repo:push': kind('Commits were pushed', push),
    'repo:fork': kind('The repository was forked', fork),
    'repo:commit_comment_created': kind('Somebody commented on a commit', commitComment),
    'repo:commit_status_created': kind('A build of a commit has ended at once', status),
    'repo:commit_status_updated': kind('A build of a commit has ended', status),
    'pullrequest:created': kind('A pull request was opened', pullRequest('opened')),
    'pullrequest:updated': kind('A pull request was changed', pullRequest('updated')),
    'pullrequest:approved': kind('A pull request was approved', pullRequest('approved')),
    'pullrequest:unapproved': kind('An approval was withdrawn', pullRequest('withdrew the approval of')),
    'pullrequest:changes_request_created': kind(
      'Changes to a pull request were requested',
      pullRequest('requested changes to'),
    ),
    'pullrequest:changes_request_removed': kind(
      'A request for changes was withdrawn',
      pullRequest('withdrew the request for changes to'),
    ),
    'pullrequest:fulfilled': kind('A pull request was merged', pullRequest('merged')),
    'pullrequest:rejected': kind('A pull request was declined', pullRequest('declined')),
    'pullrequest:comment_created': kind(
      'Somebody commented on a pull request',
      comment('commented', 'pullrequest'),
    ),
    'pullrequest:comment_updated': kind(
      'A comment on a pull request was edited',
      comment('edited a comment', 'pullrequest'),
    ),
    'pullrequest:comment_deleted': kind(
      'A comment on a pull request was deleted',
      comment('deleted a comment', 'pullrequest'),
    ),
    'issue:created': kind('An issue was opened', issue('opened')),
    'issue:updated': kind('An issue was changed', issue('updated')),
    'issue:comment_created': kind('Somebody commented on an issue', comment('commented', 'issue')),
  },
  samples,
});
