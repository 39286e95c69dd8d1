import { z } from 'zod';

import { type EventKind, type Told, integration } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link } from '../markdown.ts';
import { samples } from '../samples/builds.ts';
import { either, timedHmac, token } from '../signatures.ts';

const Build = z.object({
  build: z.object({
    number: z.number(),
    state: z.string(),
    web_url: z.string(),
    branch: z.string(),
    message: z.string().nullish(),
  }),
  pipeline: z.object({ name: z.string() }),
  job: z
    .object({
      name: z.string().nullish(),
      web_url: z.string().nullish(),
      state: z.string().nullish(),
      unblock_url: z.string().nullish(),
    })
    .nullish(),
});

const states: Record<string, string> = {
  scheduled: 'is scheduled',
  running: 'has started',
  passed: ':check: passed',
  failed: ':cross_mark: failed',
  failing: ':warning: is failing',
  blocked: ':raised_hand: waits to be unblocked',
  canceled: ':prohibited: was cancelled',
  skipped: ':prohibited: was skipped',
  not_run: ':prohibited: was not run',
  timed_out: ':cross_mark: timed out',
  broken: ':cross_mark: is broken',
};

const build = (payload: unknown): Told | null => {
  const { build: one, pipeline } = Build.parse(payload);
  const state = lookUp(states, one.state);
  if (state === undefined) return null;
  const [subject = ''] = (one.message ?? '').split('\n');
  return {
    topic: `${pipeline.name} / ${one.branch}`,
    content: `${link(`Build #${one.number}`, one.web_url)} on ${inline(one.branch)} ${state}${subject === '' ? '.' : `: ${inline(subject)}`}`,
  };
};

const job = (payload: unknown): Told | null => {
  const { build: one, pipeline, job: own } = Build.parse(payload);
  const state = lookUp(states, own?.state);
  if (!own || state === undefined) return null;
  return {
    topic: `${pipeline.name} / ${one.branch}`,
    content: `Job ${link(own.name || 'step', own.web_url)} of ${link(`build #${one.number}`, one.web_url)} ${state}.`,
  };
};

const ping = (payload: unknown): Told => {
  const { organization } = z
    .object({ organization: z.object({ name: z.string() }).nullish() })
    .parse(payload);
  return {
    topic: organization?.name ?? 'Buildkite',
    content: `Events of ${inline(organization?.name ?? 'Buildkite')} are sent here from now on.`,
  };
};

const Agent = z.object({
  agent: z.object({ name: z.string(), web_url: z.string().nullish(), hostname: z.string().nullish() }),
});

const agent =
  (verb: string): EventKind['tell'] =>
  (payload) => {
    const { agent: one } = Agent.parse(payload);
    const host = one.hostname ? ` on ${inline(one.hostname)}` : '';
    return { topic: 'agents', content: `The agent ${link(one.name, one.web_url)}${host} ${verb}.` };
  };

/** Pipelines on Buildkite. */
export const buildkite = integration({
  name: 'buildkite',
  displayName: 'Buildkite',
  field: 'code',
  documentation: 'https://buildkite.com/docs/apis/webhooks/pipelines',
  where: 'Settings › Notification Services › Webhook › Add',
  signature: either(
    timedHmac('X-Buildkite-Signature', { time: 'timestamp', signature: 'signature' }),
    token('X-Buildkite-Token'),
  ),
  event: { header: 'X-Buildkite-Event' },
  events: {
    ping: { description: 'The webhook was set up', tell: ping },
    'build.scheduled': { description: 'A build was scheduled', tell: build },
    'build.running': { description: 'A build has started', tell: build },
    'build.failing': { description: 'A build is going to fail', tell: build },
    'build.finished': { description: 'A build has ended', tell: build },
    'job.started': { description: 'A job has started', tell: job },
    'job.finished': { description: 'A job has ended', tell: job },
    'job.activated': { description: 'A step waits to be unblocked', tell: job },
    'agent.connected': { description: 'An agent has connected', tell: agent('has connected') },
    'agent.disconnected': { description: 'An agent has disconnected', tell: agent('has disconnected') },
    'agent.lost': { description: 'An agent was lost', tell: agent('was lost') },
  },
  samples: samples.buildkite,
});
