import { z } from 'zod';

import { type EventKind, type Told, integration } from '../integration.ts';
import { count, inline, link, list, quote } from '../markdown.ts';
import { payloads } from '../samples/gitlab.ts';
import { token } from '../signatures.ts';

const Body = z.string().nullish();
const User = z.object({ name: z.string() });
const Project = z.object({ name: z.string(), web_url: z.string() });
const Attributes = z.object({ action: z.string().nullish() });

const Common = z.object({
  project: Project,
  user: User.optional(),
  user_name: z.string().optional(),
  object_attributes: Attributes.optional(),
});
type Common = z.infer<typeof Common>;

type Parser = (payload: unknown, common: Common) => Told | null;

const by = ({ user, user_name }: Common) => inline(user?.name ?? user_name ?? 'Somebody');

const Push = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  total_commits_count: z.number().default(0),
  commits: z.array(z.object({ id: z.string(), message: z.string(), url: z.string() })).default([]),
});

const isNothing = (commit: string) => /^0+$/.test(commit);

/** A push to a branch, or of a tag, which may create or delete it. */
const push =
  (kind: 'branch' | 'tag'): Parser =>
  (payload, common) => {
    const { ref, before, after, commits, total_commits_count } = Push.parse(payload);
    const name = ref.replace(/^refs\/(heads|tags)\//, '');
    const topic = `${common.project.name} / ${name}`;
    const what = `the ${kind} ${inline(name)}`;
    if (isNothing(after)) return { topic, content: `${by(common)} deleted ${what}.` };
    if (kind === 'tag') return { topic, content: `${by(common)} pushed ${what}.` };
    const lines = commits.map(({ id, message, url }) => {
      const [subject = ''] = message.split('\n');
      return `${inline(subject)} (${link(id.slice(0, 11), url)})`;
    });
    const words = `pushed ${count(total_commits_count, 'commit')}`;
    const compared = isNothing(before)
      ? words
      : link(words, `${common.project.web_url}/-/compare/${before}...${after}`);
    return {
      topic,
      content: `${by(common)} ${compared} to ${isNothing(before) ? 'the new branch' : 'branch'} ${inline(name)}.${list(lines)}`,
    };
  };

const Titled = z.object({ iid: z.number(), title: z.string(), url: z.string().optional() });
type Titled = z.infer<typeof Titled>;

const verbs: Record<string, string> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  approval: 'added an approval of',
  unapproved: 'withdrew the approval of',
  unapproval: 'withdrew an approval of',
};

const topicOf = ({ project }: Common, kind: string, sign: string, { iid, title }: Titled) =>
  `${project.name} / ${kind} ${sign}${iid} ${title}`;

/** An issue or a merge request that somebody has changed. */
const changed =
  (kind: string, sign: string): Parser =>
  (payload, common) => {
    const { object_attributes: one } = z
      .object({ object_attributes: Titled.extend({ ...Attributes.shape, description: Body }) })
      .parse(payload);
    const verb = Object.hasOwn(verbs, one.action ?? '') ? verbs[one.action ?? ''] : undefined;
    if (verb === undefined) return null;
    const text = one.action === 'open' ? quote(one.description) : '';
    return {
      topic: topicOf(common, kind, sign, one),
      content: `${by(common)} ${verb} ${link(`${kind} ${sign}${one.iid}`, one.url)}: ${inline(one.title)}${text}`,
    };
  };

const Note = z.object({
  object_attributes: z.object({ note: z.string(), url: z.string() }),
  issue: Titled.optional(),
  merge_request: Titled.optional(),
  snippet: z.object({ id: z.number(), title: z.string() }).optional(),
  commit: z.object({ id: z.string(), url: z.string() }).optional(),
});

function note(payload: unknown, common: Common): Told {
  const { object_attributes: one, issue, merge_request, snippet, commit } = Note.parse(payload);
  const comment = `${by(common)} ${link('commented', one.url)}`;
  const { name } = common.project;
  const on = (topic: string, what: string) => ({
    topic,
    content: `${comment} on ${what}:${quote(one.note)}`,
  });
  if (issue) {
    return on(topicOf(common, 'issue', '#', issue), `issue #${issue.iid}`);
  }
  if (merge_request) {
    return on(topicOf(common, 'MR', '!', merge_request), `MR !${merge_request.iid}`);
  }
  if (snippet) return on(`${name} / snippet ${snippet.title}`, `the snippet ${inline(snippet.title)}`);
  const id = commit?.id.slice(0, 11) ?? 'commit';
  return on(`${name} / ${id}`, link(id, commit?.url));
}

const statuses: Record<string, string> = {
  success: ':check: succeeded',
  failed: ':cross_mark: failed',
  canceled: ':prohibited: was cancelled',
};

const Pipeline = z.object({
  object_attributes: z.object({
    id: z.number(),
    ref: z.string(),
    status: z.string(),
    url: z.string().optional(),
  }),
  builds: z.array(z.object({ name: z.string(), status: z.string() })).default([]),
});

function pipeline(payload: unknown, common: Common): Told | null {
  const { object_attributes: one, builds } = Pipeline.parse(payload);
  const outcome = Object.hasOwn(statuses, one.status) ? statuses[one.status] : undefined;
  if (outcome === undefined) return null;
  const { web_url, name } = common.project;
  const jobs = builds.map((build) => `${inline(build.name)}: ${inline(build.status)}`);
  return {
    topic: `${name} / ${one.ref}`,
    content: `${link(`Pipeline ${one.id}`, one.url ?? `${web_url}/-/pipelines/${one.id}`)} on ${inline(one.ref)} ${outcome}.${list(jobs)}`,
  };
}

const Job = z.object({
  build_id: z.number(),
  build_name: z.string(),
  build_status: z.string(),
  ref: z.string(),
});

function job(payload: unknown, common: Common): Told | null {
  const { build_id, build_name, build_status, ref } = Job.parse(payload);
  const outcome = Object.hasOwn(statuses, build_status) ? statuses[build_status] : undefined;
  if (outcome === undefined) return null;
  const { web_url, name } = common.project;
  return {
    topic: `${name} / ${ref}`,
    content: `Job ${link(build_name, `${web_url}/-/jobs/${build_id}`)} on ${inline(ref)} ${outcome}.`,
  };
}

function wikiPage(payload: unknown, common: Common): Told | null {
  const { object_attributes: page } = z
    .object({ object_attributes: z.object({ title: z.string(), url: z.string(), action: z.string() }) })
    .parse(payload);
  const verb = { create: 'created', update: 'updated', delete: 'deleted' }[page.action];
  if (verb === undefined) return null;
  return {
    topic: `${common.project.name} / wiki`,
    content: `${by(common)} ${verb} the page ${link(page.title, page.url)}.`,
  };
}

const Release = z.object({
  action: z.string(),
  name: z.string(),
  tag: z.string(),
  url: z.string(),
  description: Body,
});

function release(payload: unknown, common: Common): Told | null {
  const { action, name, tag, url, description } = Release.parse(payload);
  const verb = { create: 'published', update: 'updated', delete: 'deleted' }[action];
  if (verb === undefined) return null;
  return {
    topic: `${common.project.name} / releases`,
    content: `The release ${link(name || tag, url)} was ${verb}.${action === 'create' ? quote(description) : ''}`,
  };
}

/** Release and job events name the project only by these fields. */
const Elsewhere = z.object({ project_name: z.string(), repository: z.object({ homepage: z.string() }) });

/** The fields that most events have, for those that lack the project. */
function readCommon(payload: unknown): Common {
  const job = Elsewhere.safeParse(payload);
  const known = Common.safeParse(payload);
  if (known.success || !job.success) return Common.parse(payload);
  const { project_name, repository } = job.data;
  return { project: { name: project_name.split('/').at(-1)?.trim() ?? '', web_url: repository.homepage } };
}

const kind = (description: string, parser: Parser): EventKind => ({
  description,
  tell: (payload) => parser(payload, readCommon(payload)),
});

/** Projects on GitLab. */
export const gitlab = integration({
  name: 'gitlab',
  displayName: 'GitLab',
  field: 'code',
  documentation: 'https://docs.gitlab.com/user/project/integrations/webhook_events/',
  where: 'Settings › Webhooks › Add new webhook',
  signature: token('X-Gitlab-Token'),
  event: { header: 'X-Gitlab-Event' },
  detail: (payload) => readCommon(payload).object_attributes?.action ?? undefined,
  events: {
    'Push Hook': kind('Commits were pushed', push('branch')),
    'Tag Push Hook': kind('A tag was pushed or deleted', push('tag')),
    'Issue Hook': kind('An issue was opened or changed', changed('issue', '#')),
    'Confidential Issue Hook': kind('A confidential issue was opened or changed', changed('issue', '#')),
    'Merge Request Hook': kind('A merge request was opened or changed', changed('MR', '!')),
    'Note Hook': kind('Somebody commented', note),
    'Confidential Note Hook': kind('Somebody commented where few can read it', note),
    'Pipeline Hook': kind('A pipeline has ended', pipeline),
    'Job Hook': kind('A job has ended', job),
    'Wiki Page Hook': kind('A page of the wiki was changed', wikiPage),
    'Release Hook': kind('A release was published or changed', release),
  },
  samples: payloads,
});
