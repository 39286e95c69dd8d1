import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link } from '../markdown.ts';
import { samples } from '../samples/builds.ts';

const Payload = z.object({
  number: z.string(),
  state: z.string(),
  branch: z.string().nullish(),
  tag: z.string().nullish(),
  message: z.string().nullish(),
  build_url: z.string().nullish(),
  repository: z.object({ name: z.string(), owner_name: z.string() }),
});

const states: Record<string, string> = {
  started: 'has started',
  passed: ':check: passed',
  failed: ':cross_mark: failed',
  errored: ':cross_mark: met an error',
  canceled: ':prohibited: was cancelled',
};

function tell(payload: unknown): Told {
  const { number, state, branch, tag, message, build_url, repository } = Payload.parse(payload);
  const name = tag ?? branch;
  const [subject = ''] = (message ?? '').split('\n');
  return {
    topic: `${repository.name} / ${name ?? 'builds'}`,
    content: `${link(`Build #${number}`, build_url)}${name ? ` on ${inline(name)}` : ''} ${lookUp(states, state) ?? ''}${subject === '' ? '.' : `: ${inline(subject)}`}`,
  };
}

/** Builds on Travis CI. */
export const travis = integration({
  name: 'travis',
  displayName: 'Travis CI',
  field: 'code',
  documentation: 'https://docs.travis-ci.com/user/notifications/#configuring-webhook-notifications',
  where: '.travis.yml › notifications › webhooks › urls',
  event: (payload) => Payload.parse(payload).state,
  events: kinds(
    {
      started: 'A build has started',
      passed: 'A build has passed',
      failed: 'A build has failed',
      errored: 'A build could not be run',
      canceled: 'A build was cancelled',
    },
    tell,
  ),
  samples: samples.travis,
});
