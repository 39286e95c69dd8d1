import type { Clock, Logger } from '@parley/kit';
import { type LocalRateLimiter, budgetHeaders } from '@parley/redis';

import type { PollsDeps } from '../core/polls.ts';
import type { WireText } from '../core/wire-text.ts';
import { answers, delivered } from '../metrics.ts';
import type { Queues } from '../queues/queues.ts';
import type { Exchange } from './exchange.ts';
import { headerLines } from './reply-head.ts';
import { requestFields } from './request-fields.ts';
import type { Sampler } from './sampler.ts';
import { sendEvents } from './send-events.ts';
import { tracePoll } from './trace-poll.ts';

const slowMs = 1000;

/** Answers polls with their events. Some are logged, and each that did not wait and yet took long. */
export function createPollAnswer({
  queues,
  rateLimiter,
  logger,
  logged,
  clock,
}: PollAnswerDeps): PollsDeps<Exchange>['answer'] {
  return (exchange, queue, lines) => {
    const { id, userId } = queue;
    countAnswer(lines);
    const { live } = exchange.request;
    if (live) queues.touch(live);
    const headers = budgetHeaders(rateLimiter.budget(userId), clock.nowMs());
    sendEvents(exchange, id, lines, headerLines(headers));
    tracePoll(exchange, queue, lines, clock.nowMs());
    const isSlow = !exchange.hasWaited && clock.nowMs() - exchange.startedMs >= slowMs;
    if (isSlow || logged.isNext()) {
      const fields = { ...requestFields(exchange, clock.nowMs()), user: userId, events: lines.length };
      logger.info({ ...fields, status: 200 }, isSlow ? 'slow request' : 'request');
    }
  };
}

const heartbeat = '{"type":"heartbeat"';
/** With the longest id. To look into a longer text would have V8 put it together once more, which it is when it is sent. */
const heartbeatLengthMax = `${heartbeat},"id":${Number.MAX_SAFE_INTEGER}}`.length;

const isHeartbeat = (line: WireText | undefined) =>
  line !== undefined && line.length <= heartbeatLengthMax && line.startsWith(heartbeat);

function countAnswer(lines: readonly WireText[]): void {
  if (lines.length === 0) answers.nothing.count += 1;
  else if (lines.length === 1 && isHeartbeat(lines[0])) answers.heartbeat.count += 1;
  else {
    answers.events.count += 1;
    delivered.count += lines.length;
  }
}

interface PollAnswerDeps {
  queues: Queues;
  rateLimiter: LocalRateLimiter;
  logger: Logger;
  logged: Sampler;
  clock: Clock;
}
