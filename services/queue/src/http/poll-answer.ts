import type { Clock, Logger } from '@parley/kit';
import { type LocalRateLimiter, budgetHeaders } from '@parley/redis';

import type { PollsDeps } from '../core/polls.ts';
import type { WireText } from '../core/wire-text.ts';
import { answers, delivered } from '../metrics.ts';
import type { Queues } from '../queues/queues.ts';
import type { PollResponse } from './poll-response.ts';
import { requestFields } from './request-fields.ts';
import { sendEvents } from './send-events.ts';

const slowMs = 1000;

/** Answers polls with their events. One that did not wait and yet took long is logged. */
export function createPollAnswer({
  queues,
  rateLimiter,
  logger,
  clock,
}: PollAnswerDeps): PollsDeps<PollResponse>['answer'] {
  return (response, { id, userId }, lines) => {
    countAnswer(lines);
    const live = queues.find(id);
    if (live) queues.touch(live);
    const headers = budgetHeaders(rateLimiter.budget(userId), clock.nowMs());
    sendEvents(response, id, lines, { ignored: response.ignored, headers });
    const isSlow = !response.poll && clock.nowMs() - response.startedMs >= slowMs;
    if (isSlow) logger.info(requestFields(response, clock.nowMs()), 'slow request');
    response.poll = null;
  };
}

function countAnswer(lines: readonly WireText[]): void {
  if (lines.length === 0) answers.nothing.count += 1;
  else if (lines.length === 1 && lines[0]?.startsWith('{"type":"heartbeat"')) answers.heartbeat.count += 1;
  else {
    answers.events.count += 1;
    delivered.count += lines.length;
  }
}

interface PollAnswerDeps {
  queues: Queues;
  rateLimiter: LocalRateLimiter;
  logger: Logger;
  clock: Clock;
}
