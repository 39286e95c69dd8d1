import type { Logger } from '@parley/kit';

import type { Asking } from '../asking.ts';
import { sendError } from './reply.ts';
import type { EventsResponse } from './server.ts';

/** One line for a request that went wrong or took long; none for the others. */
export interface Reporter {
  /** A poll was answered without waiting. */
  answered(asking: Asking): void;
  /** Answers with the error that was thrown. */
  failed(res: EventsResponse, error: unknown): void;
}

const slowMs = 1000;

export function createReporter({ logger, nowMs }: { logger: Logger; nowMs(): number }): Reporter {
  const wide = ({ req, asking }: EventsResponse) => ({
    method: req.method,
    url: req.url,
    queueId: asking?.queueId,
    user: asking?.credentials.email,
    ms: asking ? nowMs() - asking.startedMs : undefined,
  });
  return {
    answered({ res, startedMs }) {
      if (nowMs() - startedMs >= slowMs) logger.info(wide(res), 'slow request');
    },
    failed(res, error) {
      const { status, bug } = sendError(res, error);
      if (bug) logger.error({ ...wide(res), status, err: bug }, 'request failed');
      else if (status >= 500) logger.warn({ ...wide(res), status, err: error }, 'not ready');
      else logger.debug({ ...wide(res), status, reason: String(error) }, 'request refused');
    },
  };
}
