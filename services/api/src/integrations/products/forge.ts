import { z } from 'zod';

import type { EventKind, Told } from '../integration.ts';
import { count, inline, link, list, quote } from '../markdown.ts';

const User = z.object({ login: z.string() });
export const Titled = z.object({ number: z.number(), title: z.string(), html_url: z.string() });
const Body = z.string().nullish();
const Repository = z.object({ name: z.string(), full_name: z.string(), html_url: z.string() });

/** What is told of a whole organization names no repository. */
export const Common = z.union([
  z.object({ action: z.string().optional(), sender: User.optional(), repository: Repository }),
  z
    .object({ action: z.string().optional(), sender: User.optional(), organization: User })
    .transform(({ organization: { login }, ...common }) => ({
      ...common,
      repository: { name: login, full_name: login, html_url: `https://github.com/${login}` },
    })),
]);
export type Common = z.infer<typeof Common>;

/** Reads one type of event. Null for one that nobody needs to be told of. */
export type Parser = (payload: unknown, common: Common) => Told | null;

export const by = ({ sender }: Common) => inline(sender?.login ?? 'Somebody');
const branchOf = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, '');
export const topicOf = ({ repository }: Common, kind: string, { number, title }: z.infer<typeof Titled>) =>
  `${repository.name} / ${kind} #${number} ${title}`;
export const nameOf = (kind: string, one: z.infer<typeof Titled>) =>
  link(`${kind} #${one.number}`, one.html_url);

const Commit = z.object({
  id: z.string(),
  message: z.string(),
  url: z.string(),
  author: z.object({ name: z.string() }).optional(),
});

const Push = z.object({
  ref: z.string(),
  compare: z.string().optional(),
  compare_url: z.string().optional(),
  deleted: z.boolean().default(false),
  forced: z.boolean().default(false),
  commits: z.array(Commit).default([]),
});

export function push(payload: unknown, common: Common): Told {
  const { ref, compare, compare_url, deleted, forced, commits } = Push.parse(payload);
  const branch = branchOf(ref);
  const topic = `${common.repository.name} / ${branch}`;
  if (deleted) return { topic, content: `${by(common)} deleted the branch ${inline(branch)}.` };
  const lines = commits.map(({ id, message, url }) => {
    const [subject = ''] = message.split('\n');
    return `${inline(subject)} (${link(id.slice(0, 11), url)})`;
  });
  const what = link(
    `${forced ? 'force-pushed' : 'pushed'} ${count(commits.length, 'commit')}`,
    compare ?? compare_url,
  );
  return { topic, content: `${by(common)} ${what} to branch ${inline(branch)}.${list(lines)}` };
}

const Ref = z.object({ ref: z.string(), ref_type: z.string() });

export const refChange =
  (verb: string): Parser =>
  (payload, common) => {
    const { ref, ref_type } = Ref.parse(payload);
    return {
      topic: `${common.repository.name} / ${ref}`,
      content: `${by(common)} ${verb} the ${inline(ref_type)} ${inline(ref)}.`,
    };
  };

const Changed = z.object({
  assignee: User.nullish(),
  label: z.object({ name: z.string() }).nullish(),
  milestone: z.object({ title: z.string() }).nullish(),
  requested_reviewer: User.nullish(),
  requested_team: z.object({ name: z.string() }).nullish(),
});

/** What an action on an issue or a pull request is called; undefined for one that nobody is told of. */
function describeAction(action: string, payload: unknown): string | undefined {
  const { assignee, label, milestone, requested_reviewer, requested_team } = Changed.parse(payload);
  const reviewer = inline(requested_reviewer?.login ?? requested_team?.name ?? 'somebody');
  const actions: Record<string, string> = {
    opened: 'opened',
    edited: 'edited',
    closed: 'closed',
    reopened: 'reopened',
    deleted: 'deleted',
    locked: 'locked',
    unlocked: 'unlocked',
    pinned: 'pinned',
    unpinned: 'unpinned',
    transferred: 'transferred',
    synchronize: 'updated',
    synchronized: 'updated',
    label_updated: 'changed the labels of',
    label_cleared: 'removed all labels from',
    ready_for_review: 'marked as ready for review',
    converted_to_draft: 'marked as a draft',
    assigned: `assigned ${inline(assignee?.login ?? 'somebody')} to`,
    unassigned: `unassigned ${inline(assignee?.login ?? 'somebody')} from`,
    labeled: `added the label ${inline(label?.name ?? '')} to`,
    unlabeled: `removed the label ${inline(label?.name ?? '')} from`,
    milestoned: `added to the milestone ${inline(milestone?.title ?? '')}`,
    demilestoned: `removed from the milestone ${inline(milestone?.title ?? '')}`,
    review_requested: `requested a review by ${reviewer} of`,
    review_request_removed: `withdrew the request for a review by ${reviewer} of`,
  };
  return Object.hasOwn(actions, action) ? actions[action] : undefined;
}

const saysMore = new Set(['opened', 'edited', 'reopened']);

export function issues(payload: unknown, common: Common): Told | null {
  const { issue } = z.object({ issue: Titled.extend({ body: Body }) }).parse(payload);
  const verb = describeAction(common.action ?? '', payload);
  if (verb === undefined) return null;
  const text = saysMore.has(common.action ?? '') ? quote(issue.body) : '';
  return {
    topic: topicOf(common, 'issue', issue),
    content: `${by(common)} ${verb} ${nameOf('issue', issue)}: ${inline(issue.title)}${text}`,
  };
}

const PullRequest = Titled.extend({
  body: Body,
  merged: z.boolean().nullish(),
  head: z.object({ ref: z.string() }).optional(),
  base: z.object({ ref: z.string() }).optional(),
});

export function pullRequest(payload: unknown, common: Common): Told | null {
  const { pull_request: pr } = z.object({ pull_request: PullRequest }).parse(payload);
  const { action = '' } = common;
  const verb = action === 'closed' && pr.merged ? 'merged' : describeAction(action, payload);
  if (verb === undefined) return null;
  const branches =
    action === 'opened' && pr.head && pr.base ? ` from ${inline(pr.head.ref)} to ${inline(pr.base.ref)}` : '';
  const text = saysMore.has(action) ? quote(pr.body) : '';
  return {
    topic: topicOf(common, 'PR', pr),
    content: `${by(common)} ${verb} ${nameOf('PR', pr)}${branches}: ${inline(pr.title)}${text}`,
  };
}

export const Comment = z.object({ html_url: z.string(), body: Body });
const commentVerbs: Record<string, string> = {
  created: 'commented',
  edited: 'edited a comment',
  deleted: 'deleted a comment',
};

/** A comment on what `find` finds in the payload. */
export const commentOn =
  (kind: string, find: (payload: unknown) => z.infer<typeof Titled>): Parser =>
  (payload, common) => {
    const { comment } = z.object({ comment: Comment }).parse(payload);
    const verb = commentVerbs[common.action ?? ''];
    if (verb === undefined) return null;
    const one = find(payload);
    return {
      topic: topicOf(common, kind, one),
      content: `${by(common)} ${link(verb, comment.html_url)} on ${nameOf(kind, one)}${
        common.action === 'deleted' ? '.' : `:${quote(comment.body)}`
      }`,
    };
  };

export function issueComment(payload: unknown, common: Common): Told | null {
  const { issue } = z
    .object({ issue: Titled.extend({ pull_request: z.unknown().optional() }) })
    .parse(payload);
  return commentOn(issue.pull_request ? 'PR' : 'issue', () => issue)(payload, common);
}

export function release(payload: unknown, common: Common): Told | null {
  const { release: one } = z
    .object({
      release: z.object({ tag_name: z.string(), name: Body, html_url: z.string(), body: Body }),
    })
    .parse(payload);
  if (common.action !== 'published') return null;
  return {
    topic: `${common.repository.name} / releases`,
    content: `${by(common)} published the release ${link(one.name || one.tag_name, one.html_url)}${quote(one.body)}`,
  };
}

export function fork(payload: unknown, common: Common): Told {
  const { forkee } = z
    .object({ forkee: z.object({ full_name: z.string(), html_url: z.string() }) })
    .parse(payload);
  return {
    topic: `${common.repository.name} / forks`,
    content: `${by(common)} forked the repository to ${link(forkee.full_name, forkee.html_url)}.`,
  };
}

/** Declares a type of events of a forge: what has happened, and how it is told. */
export const kind = (description: string, parser: Parser): EventKind => ({
  description,
  tell: (payload) => parser(payload, Common.parse(payload)),
});

/** Reads what was done, where a forge says so. */
export const actionOf = (payload: unknown): string | undefined => Common.parse(payload).action;
