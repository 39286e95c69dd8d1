import { productVersion, webhookTimes } from '@parley/protocol';

import { type Outbound, type OutboundOptions, createOutbound } from '../outbound/client.ts';
import { publicOrIn } from '../outbound/public-or-in.ts';

/** The requests of one worker to one host are not more than its jobs, so that none waits for another. */
const connectionsPerHost = 16;

const defaultTimeouts = {
  connectMs: webhookTimes.connectMs,
  headMs: webhookTimes.replyMs,
  wholeMs: webhookTimes.replyMs,
};

/** Creates the client that asks the services of bots: on the public Internet, and in networks of one's own. */
export const createWebhookClient = (
  networks: Parameters<typeof publicOrIn>[0],
  timeouts: OutboundOptions['timeouts'] = defaultTimeouts,
): Outbound =>
  createOutbound({
    userAgent: `ParleyOutgoingWebhook/${productVersion}`,
    mayConnect: publicOrIn(networks),
    timeouts,
    connectionsPerHost,
  });
