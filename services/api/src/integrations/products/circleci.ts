import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link } from '../markdown.ts';
import { samples } from '../samples/builds.ts';
import { hmac } from '../signatures.ts';

const Payload = z.object({
  type: z.string(),
  project: z.object({ name: z.string() }),
  workflow: z.object({ name: z.string(), status: z.string().nullish(), url: z.string().nullish() }),
  job: z.object({ name: z.string(), number: z.number().nullish(), status: z.string() }).nullish(),
  pipeline: z
    .object({
      number: z.number(),
      vcs: z
        .object({
          branch: z.string().nullish(),
          tag: z.string().nullish(),
          revision: z.string().nullish(),
          commit: z.object({ subject: z.string().nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

const statuses: Record<string, string> = {
  success: ':check: succeeded',
  failed: ':cross_mark: failed',
  error: ':cross_mark: met an error',
  canceled: ':prohibited: was cancelled',
  unauthorized: ':prohibited: was not permitted',
};

function tell(payload: unknown): Told | null {
  const { project, workflow, job, pipeline } = Payload.parse(payload);
  const outcome = lookUp(statuses, job ? job.status : workflow.status);
  if (outcome === undefined) return null;
  const { branch, tag, commit } = pipeline?.vcs ?? {};
  const name = branch ?? tag;
  const what = job
    ? `Job ${inline(job.name)} of ${link(workflow.name, workflow.url)}`
    : `Workflow ${link(workflow.name, workflow.url)}`;
  const of = commit?.subject ? `: ${inline(commit.subject)}` : '.';
  return {
    topic: `${project.name} / ${name ?? 'workflows'}`,
    content: `${what}${name ? ` on ${inline(name)}` : ''} ${outcome}${of}`,
  };
}

/** Workflows on CircleCI. */
export const circleci = integration({
  name: 'circleci',
  displayName: 'CircleCI',
  field: 'code',
  documentation: 'https://circleci.com/docs/guides/integration/outbound-webhooks/',
  where: 'Project Settings › Webhooks › Add Webhook',
  signature: hmac({ header: 'circleci-signature', prefix: 'v1=' }),
  event: (payload) => Payload.parse(payload).type,
  events: kinds({ 'workflow-completed': 'A workflow has ended', 'job-completed': 'A job has ended' }, tell),
  samples: samples.circleci,
});
