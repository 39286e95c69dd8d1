export interface Refusal {
  status: number;
  body: string;
}

function refusal(status: number, code: string, msg: string, extra: object = {}): Refusal {
  return { status, body: JSON.stringify({ result: 'error', msg, code, ...extra }) };
}

/** Responses that the proxy makes itself. They are JSON, because clients of the API expect that of every response. */
export const refusals = {
  badRequest: refusal(400, 'BAD_REQUEST', 'This is not a valid HTTP request.'),
  methodNotAllowed: refusal(405, 'BAD_REQUEST', 'This address does not accept this method.'),
  bodyTooLarge: refusal(413, 'BAD_REQUEST', 'The request is too large.'),
  urlTooLong: refusal(414, 'BAD_REQUEST', 'The URL is too long.'),
  headersTooLarge: refusal(431, 'BAD_REQUEST', 'The request headers are too large.'),
  tooManyConnections: refusal(429, 'RATE_LIMIT_HIT', 'Too many connections from one address.', {
    'retry-after': 1,
  }),
  notReady: refusal(503, 'SERVER_NOT_READY', 'The service is restarting. Please try again.'),
} as const;

/** The statuses that say when to come back. */
export const saysWhen: ReadonlySet<number> = new Set([429, 503]);
