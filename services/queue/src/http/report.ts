import type { Logger } from '@parley/kit';

import type { Asking } from './poll-response.ts';
import { sendError } from './reply.ts';

/** One line for a request that went wrong or took long; none for the others. */
export interface Reporter {
  /** A poll was answered without waiting. */
  answered(asking: Asking): void;
  /** Answers with the error that was thrown. */
  failed(res: Asking, error: unknown): void;
}

const slowMs = 1000;

export function createReporter({ logger, nowMs }: { logger: Logger; nowMs(): number }): Reporter {
  const wide = ({ req, startedMs }: Asking) => ({
    method: req.method,
    url: req.url,
    ms: startedMs > 0 ? nowMs() - startedMs : undefined,
  });
  return {
    answered(asking) {
      if (nowMs() - asking.startedMs >= slowMs) logger.info(wide(asking), 'slow request');
    },
    failed(res, error) {
      const { status, bug } = sendError(res, error);
      if (bug) logger.error({ ...wide(res), status, err: bug }, 'request failed');
      else if (status >= 500) logger.warn({ ...wide(res), status, err: error }, 'not ready');
      else logger.debug({ ...wide(res), status, reason: String(error) }, 'request refused');
    },
  };
}
