import { type ClientAddress, errorReply, sessionChallenge } from '@parley/http';
import type { Clock, Logger } from '@parley/kit';
import { isDatabaseUnavailable } from '@parley/log';

import type { Exchange } from './exchange.ts';
import { requestFields } from './request-fields.ts';
import type { Sampler } from './sampler.ts';
import { sendJson } from './send-json.ts';

/** Answers a request with the error that was thrown, and logs it. */
export type ErrorHandler = (exchange: Exchange, error: unknown) => void;

export function createErrorHandler({ logger, logged, clock, clientAddress }: ErrorHandlerDeps): ErrorHandler {
  return (exchange, error) => {
    const { status, body, headers, isBug } = errorReply(error, isDatabaseUnavailable);
    const challenge = status === 401 && exchange.authentication.isBySession ? sessionChallenge : {};
    sendJson(exchange, status, body, { ...headers, ...challenge });
    const fields = { ...requestFields(exchange, clock.nowMs()), status, code: body.code };
    if (isBug) logger.error({ ...fields, err: error }, 'request failed');
    else if (body.code === 'UNAUTHORIZED') {
      const address = clientAddress(exchange.head.forwardedFor, exchange.remoteAddress);
      logger.warn({ ...fields, address }, 'credentials refused');
    } else if (status >= 500) logger.warn({ ...fields, err: error }, 'not ready');
    else if (logged.isNext()) logger.info({ ...fields, reason: String(error) }, 'request');
  };
}

interface ErrorHandlerDeps {
  logger: Logger;
  /** Picks refusals that are logged: others are bugs, or say that a store is away. */
  logged: Sampler;
  clock: Clock;
  readonly clientAddress: ClientAddress;
}
