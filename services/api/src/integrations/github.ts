import { z } from 'zod';

import { type Integration, type Notice, requiredHeader } from './integration.ts';
import { count, inline, link, list, quote } from './markdown.ts';

const User = z.object({ login: z.string() });
const Titled = z.object({ number: z.number(), title: z.string(), html_url: z.string() });
const Body = z.string().nullish();
const Repository = z.object({ name: z.string(), full_name: z.string(), html_url: z.string() });

/** What is told of a whole organization names no repository. */
const Common = z.union([
  z.object({ action: z.string().optional(), sender: User.optional(), repository: Repository }),
  z
    .object({ action: z.string().optional(), sender: User.optional(), organization: User })
    .transform(({ organization: { login }, ...common }) => ({
      ...common,
      repository: { name: login, full_name: login, html_url: `https://github.com/${login}` },
    })),
]);
type Common = z.infer<typeof Common>;

type Told = Omit<Notice, 'event'>;
/** Reads one type of event. Null for one that nobody needs to be told of. */
type Parser = (payload: unknown, common: Common) => Told | null;

const by = ({ sender }: Common) => inline(sender?.login ?? 'Somebody');
const branchOf = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, '');
const topicOf = ({ repository }: Common, kind: string, { number, title }: z.infer<typeof Titled>) =>
  `${repository.name} / ${kind} #${number} ${title}`;
const nameOf = (kind: string, one: z.infer<typeof Titled>) => link(`${kind} #${one.number}`, one.html_url);

const Commit = z.object({
  id: z.string(),
  message: z.string(),
  url: z.string(),
  author: z.object({ name: z.string() }).optional(),
});

const Push = z.object({
  ref: z.string(),
  compare: z.string(),
  deleted: z.boolean().default(false),
  forced: z.boolean().default(false),
  commits: z.array(Commit).default([]),
});

function push(payload: unknown, common: Common): Told {
  const { ref, compare, deleted, forced, commits } = Push.parse(payload);
  const branch = branchOf(ref);
  const topic = `${common.repository.name} / ${branch}`;
  if (deleted) return { topic, content: `${by(common)} deleted the branch ${inline(branch)}.` };
  const lines = commits.map(({ id, message, url }) => {
    const [subject = ''] = message.split('\n');
    return `${inline(subject)} (${link(id.slice(0, 11), url)})`;
  });
  const what = link(`${forced ? 'force-pushed' : 'pushed'} ${count(commits.length, 'commit')}`, compare);
  return { topic, content: `${by(common)} ${what} to branch ${inline(branch)}.${list(lines)}` };
}

const Ref = z.object({ ref: z.string(), ref_type: z.string() });

const refChange =
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

function issues(payload: unknown, common: Common): Told | null {
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

function pullRequest(payload: unknown, common: Common): Told | null {
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

const Comment = z.object({ html_url: z.string(), body: Body });
const commentVerbs: Record<string, string> = {
  created: 'commented',
  edited: 'edited a comment',
  deleted: 'deleted a comment',
};

/** A comment on what `find` finds in the payload. */
const commentOn =
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

function issueComment(payload: unknown, common: Common): Told | null {
  const { issue } = z
    .object({ issue: Titled.extend({ pull_request: z.unknown().optional() }) })
    .parse(payload);
  return commentOn(issue.pull_request ? 'PR' : 'issue', () => issue)(payload, common);
}

const reviewVerbs: Record<string, string> = {
  approved: 'approved',
  changes_requested: 'requested changes to',
  commented: 'reviewed',
};

function review(payload: unknown, common: Common): Told | null {
  const { review: one, pull_request: pr } = z
    .object({ review: Comment.extend({ state: z.string() }), pull_request: Titled })
    .parse(payload);
  const verb = common.action === 'submitted' ? reviewVerbs[one.state.toLowerCase()] : undefined;
  if (verb === undefined) return null;
  return {
    topic: topicOf(common, 'PR', pr),
    content: `${by(common)} ${link(verb, one.html_url)} ${nameOf('PR', pr)}${quote(one.body)}`,
  };
}

function commitComment(payload: unknown, common: Common): Told | null {
  const { comment } = z.object({ comment: Comment.extend({ commit_id: z.string() }) }).parse(payload);
  return {
    topic: `${common.repository.name} / ${comment.commit_id.slice(0, 11)}`,
    content: `${by(common)} ${link('commented', comment.html_url)} on ${inline(comment.commit_id.slice(0, 11))}:${quote(comment.body)}`,
  };
}

function release(payload: unknown, common: Common): Told | null {
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

const Run = z.object({
  name: z.string().nullish(),
  html_url: z.string(),
  head_branch: z.string().nullish(),
  conclusion: z.string().nullish(),
});

function workflowRun(payload: unknown, common: Common): Told | null {
  const { workflow_run: run } = z.object({ workflow_run: Run }).parse(payload);
  if (common.action !== 'completed') return null;
  const sign = run.conclusion === 'success' ? ':check:' : ':cross_mark:';
  const branch = run.head_branch ? ` on ${inline(run.head_branch)}` : '';
  return {
    topic: `${common.repository.name} / ${run.head_branch ?? 'workflows'}`,
    content: `${sign} ${link(run.name ?? 'Workflow', run.html_url)}${branch}: ${inline(run.conclusion ?? 'unknown')}`,
  };
}

const starred: Parser = (_, common) =>
  common.action === 'created'
    ? { topic: `${common.repository.name} / stars`, content: `${by(common)} starred the repository.` }
    : null;

function fork(payload: unknown, common: Common): Told {
  const { forkee } = z
    .object({ forkee: z.object({ full_name: z.string(), html_url: z.string() }) })
    .parse(payload);
  return {
    topic: `${common.repository.name} / forks`,
    content: `${by(common)} forked the repository to ${link(forkee.full_name, forkee.html_url)}.`,
  };
}

const ping: Parser = (_, common) => ({
  topic: common.repository.name,
  content: `Events of ${link(common.repository.full_name, common.repository.html_url)} are sent here from now on.`,
});

const pullOf = (payload: unknown) => z.object({ pull_request: Titled }).parse(payload).pull_request;

const parsers: Record<string, Parser> = {
  ping,
  push,
  create: refChange('created'),
  delete: refChange('deleted'),
  issues,
  issue_comment: issueComment,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: commentOn('PR', pullOf),
  commit_comment: commitComment,
  release,
  workflow_run: workflowRun,
  star: starred,
  fork,
};

/** Repositories on GitHub. */
export const github: Integration = {
  name: 'github',
  displayName: 'GitHub',
  events: Object.keys(parsers),
  read(delivery) {
    const event = requiredHeader(delivery, 'X-GitHub-Event');
    const parser = Object.hasOwn(parsers, event) ? parsers[event] : undefined;
    if (!parser) return { unsupported: event };
    const common = Common.parse(delivery.payload);
    const told = parser(delivery.payload, common);
    return told ? { event, ...told } : { unsupported: `${event}:${common.action ?? ''}` };
  },
};
