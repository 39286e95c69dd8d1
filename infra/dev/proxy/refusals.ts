export interface Refusal {
  status: number;
  body: string;
}

function refusal(status: number, code: string, msg: string): Refusal {
  return { status, body: JSON.stringify({ result: 'error', msg, code }) };
}

/** Responses that the proxy makes itself. They are JSON, because clients of the API expect that of every response. */
export const refusals = {
  badRequest: refusal(400, 'BAD_REQUEST', 'This is not a valid HTTP request.'),
  methodNotAllowed: refusal(405, 'BAD_REQUEST', 'Method Not Allowed'),
  bodyTooLarge: refusal(413, 'BAD_REQUEST', 'The request is too large.'),
  urlTooLong: refusal(414, 'BAD_REQUEST', 'The URL is too long.'),
  headersTooLarge: refusal(431, 'BAD_REQUEST', 'The request headers are too large.'),
  notReady: refusal(503, 'SERVER_NOT_READY', 'The service is restarting. Please try again.'),
} as const;

/** The size of a file of 100 MiB with the multipart form around it. The nodes have lower limits for everything else. */
export const bodyMebibytesMax = 101;

/** The URL of a GET may list 5 000 message ids. */
export const headerKibibytesMax = 128;

export const eventsPath = '/api/v1/events';

export const connectMsMax = 1_000;

/** This is longer than the longest parked poll. */
export const answerSecondsMax = 120;
