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

/**
 * The largest body that an address takes, or every address that begins with one that ends in a slash. Addresses of files:
 * the largest file, with the multipart form around it.
 */
export const bodyMebibytesMax = {
  default: 1,
  '/api/v1/user_uploads': 101,
  '/api/v1/tus': 101,
  '/api/v1/tus/': 101,
  '/api/v1/users/me/avatar': 6,
  '/api/v1/realm/icon': 6,
  '/api/v1/realm/logo': 6,
  '/api/v1/realm/emoji/': 6,
} as const;

/**
 * Addresses whose requests are passed on as they arrive: of an upload that can be resumed, what has arrived is kept when
 * the connection breaks.
 */
export const streamedPaths: ReadonlySet<string> = new Set(['/api/v1/tus', '/api/v1/tus/']);

/** Time for the whole head of a request, and between two pieces of its body. */
export const arrivalSecondsMax = 15;

/** Requests at once, parked polls included. Wide, because all of a developer's programs have one address. */
export const connectionsPerAddressMax = 20_000;

/** The URL of a GET may list 5 000 message ids. */
export const headerKibibytesMax = 128;

export const eventsPaths = ['/api/v1/events', '/json/events'] as const;

export const connectMsMax = 1_000;

/** This is longer than the longest parked poll. */
export const answerSecondsMax = 120;
