import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link } from '../markdown.ts';
import { samples } from '../samples/builds.ts';

/** What the Notification plugin sends. */
const Payload = z.object({
  name: z.string(),
  display_name: z.string().nullish(),
  build: z.object({
    full_url: z.string().nullish(),
    number: z.number(),
    phase: z.string(),
    status: z.string().nullish(),
    scm: z.object({ branch: z.string().nullish(), commit: z.string().nullish() }).nullish(),
  }),
});

const statuses: Record<string, string> = {
  SUCCESS: ':check: succeeded',
  FAILURE: ':cross_mark: failed',
  UNSTABLE: ':warning: is unstable',
  ABORTED: ':prohibited: was aborted',
  NOT_BUILT: ':prohibited: was not built',
};

function tell(payload: unknown, phase: string): Told | null {
  const { name, display_name, build } = Payload.parse(payload);
  const outcome = phase === 'STARTED' ? 'has started' : lookUp(statuses, build.status);
  if (outcome === undefined) return null;
  const branch = build.scm?.branch ? ` on ${inline(build.scm.branch)}` : '';
  return {
    topic: name,
    content: `${link(`Build #${build.number}`, build.full_url)} of ${inline(display_name ?? name)}${branch} ${outcome}.`,
  };
}

/** Jobs of Jenkins. */
export const jenkins = integration({
  name: 'jenkins',
  displayName: 'Jenkins',
  field: 'code',
  documentation: 'https://plugins.jenkins.io/notification/',
  where: 'Job › Configure › Job Notifications (Notification plugin) › Add Endpoint: JSON, HTTP',
  // A build is completed before it is finalized, and one message is enough.
  event: (payload) => Payload.parse(payload).build.phase,
  events: kinds({ STARTED: 'A build has started', FINALIZED: 'A build has ended' }, tell),
  samples: samples.jenkins,
});
