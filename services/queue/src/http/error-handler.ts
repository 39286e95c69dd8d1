import { clientAddress, errorReply, sessionChallenge } from '@parley/http';
import type { Clock, Logger } from '@parley/kit';
import { isDatabaseUnavailable } from '@parley/log';

import type { PollResponse } from './poll-response.ts';
import { requestFields } from './request-fields.ts';
import type { Sampler } from './sampler.ts';
import { sendJson } from './send-json.ts';

/** Answers a request with the error that was thrown, and logs it. */
export type ErrorHandler = (response: PollResponse, error: unknown) => void;

function addressOf({ req }: PollResponse): string {
  const forwarded = req.headers['x-forwarded-for'];
  return clientAddress(forwarded?.toString(), req.socket.remoteAddress);
}

export function createErrorHandler({ logger, logged, clock }: ErrorHandlerDeps): ErrorHandler {
  return (response, error) => {
    const { status, body, headers, isBug } = errorReply(error, isDatabaseUnavailable);
    const challenge = status === 401 && response.isBySession ? sessionChallenge : {};
    sendJson(response, status, body, { ...headers, ...challenge });
    const fields = { ...requestFields(response, clock.nowMs()), status, code: body.code };
    if (isBug) logger.error({ ...fields, err: error }, 'request failed');
    else if (body.code === 'UNAUTHORIZED') {
      logger.warn({ ...fields, address: addressOf(response) }, 'credentials refused');
    } else if (status >= 500) logger.warn({ ...fields, err: error }, 'not ready');
    else if (logged.isNext()) logger.info({ ...fields, reason: String(error) }, 'request');
  };
}

interface ErrorHandlerDeps {
  logger: Logger;
  /** Picks refusals that are logged: others are bugs, or say that a store is away. */
  logged: Sampler;
  clock: Clock;
}
