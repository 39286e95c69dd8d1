export interface Refusal {
  status: number;
  body: string;
}

function refusal(status: number, code: string, msg: string): Refusal {
  return { status, body: JSON.stringify({ result: 'error', msg, code }) };
}

/** What the proxy says by itself. Clients of the API read JSON, whoever speaks. */
export const refusals = {
  badRequest: refusal(400, 'BAD_REQUEST', 'This is not a valid HTTP request.'),
  methodNotAllowed: refusal(405, 'BAD_REQUEST', 'Method Not Allowed'),
  bodyTooLarge: refusal(413, 'BAD_REQUEST', 'The request is too large.'),
  urlTooLong: refusal(414, 'BAD_REQUEST', 'The URL is too long.'),
  headersTooLarge: refusal(431, 'BAD_REQUEST', 'The request headers are too large.'),
  notReady: refusal(503, 'SERVER_NOT_READY', 'The service is restarting. Please try again.'),
} as const;

/** 100 MiB of file, and what a multipart form puts around it. The nodes hold everything else to less. */
export const bodyMebibytesMax = 101;

/** A question may name 5 000 messages. */
export const headerKibibytesMax = 128;

export const eventsPath = '/api/v1/events';

export const connectMsMax = 1_000;

/** Longer than the longest parked poll. */
export const answerSecondsMax = 120;
