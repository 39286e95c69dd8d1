import { notReady } from '@parley/protocol';

import type { ProbeEndpoint } from '../endpoint/probe.ts';
import { bugsOf } from '../http/observe-requests.ts';
import { refuse, reply } from '../http/reply.ts';
import type { Serve, ServeDeps } from './deps.ts';

/** Answers whoever runs the node. */
export function serveProbe({ isWell }: ProbeEndpoint, { node, logger }: ServeDeps): Serve {
  return async (c) =>
    (await isWell(node)) ? reply({ result: 'success', msg: '' }, 200) : refuse(notReady(), bugsOf(c, logger));
}
