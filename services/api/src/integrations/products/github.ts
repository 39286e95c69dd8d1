import { z } from 'zod';

import { type Told, integration } from '../integration.ts';
import { inline, link, list, quote } from '../markdown.ts';
import { payloads } from '../samples/github.ts';
import { hmac } from '../signatures.ts';
import {
  Comment,
  type Common,
  type Parser,
  Titled,
  actionOf,
  by,
  commentOn,
  fork,
  issueComment,
  issues,
  kind,
  nameOf,
  pullRequest,
  push,
  refChange,
  release,
  topicOf,
} from './forge.ts';
import { alertKinds } from './github-alerts.ts';

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

const ping: Parser = (_, common) => ({
  topic: common.repository.name,
  content: `Events of ${link(common.repository.full_name, common.repository.html_url)} are sent here from now on.`,
});

const pullOf = (payload: unknown) => z.object({ pull_request: Titled }).parse(payload).pull_request;

const Discussion = Titled.extend({ body: z.string().nullish() });
const discussionOf = (payload: unknown) => z.object({ discussion: Discussion }).parse(payload).discussion;

const discussion: Parser = (payload, common) => {
  const one = discussionOf(payload);
  const verbs: Record<string, string> = {
    created: 'began',
    answered: 'marked an answer in',
    closed: 'closed',
    reopened: 'reopened',
    locked: 'locked',
  };
  const verb = Object.hasOwn(verbs, common.action ?? '') ? verbs[common.action ?? ''] : undefined;
  if (verb === undefined) return null;
  return {
    topic: topicOf(common, 'discussion', one),
    content: `${by(common)} ${verb} ${nameOf('discussion', one)}: ${inline(one.title)}${
      common.action === 'created' ? quote(one.body) : ''
    }`,
  };
};

const Pages = z.object({
  pages: z.array(z.object({ title: z.string(), action: z.string(), html_url: z.string() })),
});

const wiki: Parser = (payload, common) => ({
  topic: `${common.repository.name} / wiki`,
  content: `${by(common)} changed the wiki.${list(
    Pages.parse(payload).pages.map((page) => `${inline(page.action)} ${link(page.title, page.html_url)}`),
  )}`,
});

const milestone: Parser = (payload, common) => {
  const { milestone: one } = z.object({ milestone: Titled.omit({ number: true }) }).parse(payload);
  const { action = '' } = common;
  if (!['created', 'opened', 'closed', 'deleted'].includes(action)) return null;
  return {
    topic: `${common.repository.name} / milestones`,
    content: `${by(common)} ${action} the milestone ${link(one.title, one.html_url)}.`,
  };
};

const member: Parser = (payload, common) => {
  const { member: one } = z.object({ member: z.object({ login: z.string() }) }).parse(payload);
  const verb = { added: 'added', removed: 'removed' }[common.action ?? ''];
  if (verb === undefined) return null;
  return {
    topic: `${common.repository.name} / collaborators`,
    content: `${by(common)} ${verb} ${inline(one.login)} as a collaborator.`,
  };
};

const repositoryVerbs = new Set([
  'created',
  'deleted',
  'archived',
  'unarchived',
  'renamed',
  'publicized',
  'privatized',
]);

const repository: Parser = (_, common) => {
  const { action = '', repository: one } = common;
  if (!repositoryVerbs.has(action)) return null;
  return { topic: one.name, content: `${by(common)} ${action} ${link(one.full_name, one.html_url)}.` };
};

const Deployment = z.object({
  deployment_status: z.object({
    state: z.string(),
    environment: z.string(),
    environment_url: z.string().nullish(),
    target_url: z.string().nullish(),
  }),
  deployment: z.object({ ref: z.string() }),
});

const outcomes: Record<string, string> = {
  success: ':check: succeeded',
  failure: ':cross_mark: failed',
  error: ':cross_mark: met an error',
};

const deployment: Parser = (payload, common) => {
  const {
    deployment_status: one,
    deployment: { ref },
  } = Deployment.parse(payload);
  const outcome = Object.hasOwn(outcomes, one.state) ? outcomes[one.state] : undefined;
  if (outcome === undefined) return null;
  return {
    topic: `${common.repository.name} / deployments`,
    content: `${link('Deployment', one.environment_url || one.target_url)} of ${inline(ref)} to ${inline(one.environment)} ${outcome}.`,
  };
};

/** Repositories and organizations on GitHub. */
export const github = integration({
  name: 'github',
  displayName: 'GitHub',
  field: 'code',
  documentation: 'https://docs.github.com/en/webhooks/webhook-events-and-payloads',
  where: 'Settings › Webhooks › Add webhook',
  signature: hmac({ header: 'X-Hub-Signature-256', prefix: 'sha256=' }),
  event: { header: 'X-GitHub-Event' },
  detail: actionOf,
  events: {
    ping: kind('The webhook was set up', ping),
    push: kind('Commits were pushed', push),
    create: kind('A branch or a tag was created', refChange('created')),
    delete: kind('A branch or a tag was deleted', refChange('deleted')),
    issues: kind('An issue was opened or changed', issues),
    issue_comment: kind('Somebody commented on an issue or a pull request', issueComment),
    pull_request: kind('A pull request was opened or changed', pullRequest),
    pull_request_review: kind('A pull request was reviewed', review),
    pull_request_review_comment: kind(
      'Somebody commented on lines of a pull request',
      commentOn('PR', pullOf),
    ),
    commit_comment: kind('Somebody commented on a commit', commitComment),
    release: kind('A release was published', release),
    workflow_run: kind('A workflow has ended', workflowRun),
    star: kind('The repository was starred', starred),
    fork: kind('The repository was forked', fork),
    discussion: kind('A discussion was begun or changed', discussion),
    discussion_comment: kind('Somebody commented on a discussion', commentOn('discussion', discussionOf)),
    gollum: kind('Pages of the wiki were changed', wiki),
    milestone: kind('A milestone was created, closed or deleted', milestone),
    member: kind('A collaborator was added or removed', member),
    repository: kind('A repository was created, archived, renamed or deleted', repository),
    deployment_status: kind('A deployment has ended', deployment),
    ...alertKinds,
  },
  samples: payloads,
});
