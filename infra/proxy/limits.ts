/**
 * The largest body that an address takes, or every address that begins with one that ends in a slash. Addresses of files:
 * the largest file, with the multipart form around it.
 */
export const bodyMebibytesMax = {
  default: 1,
  '/api/v1/user_uploads': 101,
  '/json/user_uploads': 101,
  '/api/v1/tus': 101,
  '/json/tus': 101,
  '/api/v1/tus/': 101,
  '/json/tus/': 101,
  '/api/v1/realm/import_archives': 33,
  '/json/realm/import_archives': 33,
  '/api/v1/realm/import_archives/': 33,
  '/json/realm/import_archives/': 33,
  '/api/v1/users/me/avatar': 6,
  '/json/users/me/avatar': 6,
  '/api/v1/realm/icon': 6,
  '/json/realm/icon': 6,
  '/api/v1/realm/logo': 6,
  '/json/realm/logo': 6,
  '/api/v1/realm/emoji/': 6,
  '/json/realm/emoji/': 6,
} as const;

/**
 * Addresses whose requests are passed on as they arrive: of an upload that can be resumed, what has arrived is kept when
 * the connection breaks.
 */
export const streamedPaths: ReadonlySet<string> = new Set(
  ['/api/v1', '/json'].flatMap((root) =>
    ['/tus', '/tus/', '/realm/import_archives', '/realm/import_archives/'].map((path) => `${root}${path}`),
  ),
);

/** Time for the whole head of a request, and between two pieces of its body. */
export const arrivalSecondsMax = 15;

/** The URL of a GET may list 5 000 message ids. */
export const headerKibibytesMax = 128;

export const eventsPaths = ['/api/v1/events', '/json/events'] as const;

export const connectMsMax = 1_000;

/** This is longer than the longest parked poll. */
export const answerSecondsMax = 120;

/** Files that a proxy or a node opens besides the connections of polls. */
export const otherFiles = 100;
