/**
 * The largest body that an address takes, or every address that begins with one that ends in a slash. Addresses of files:
 * the largest file, with the multipart form around it.
 */
export const bodyMebibytesMax: Readonly<Record<string, number>> & { default: number } = {
  default: 1,
  ...belowRoots({
    '/user_uploads': 101,
    '/tus': 101,
    '/tus/': 101,
    '/realm/import_archives': 33,
    '/realm/import_archives/': 33,
    '/users/me/avatar': 6,
    '/realm/icon': 6,
    '/realm/logo': 6,
    '/realm/emoji/': 6,
  }),
};

/**
 * Addresses whose requests are passed on as they arrive: of an upload that can be resumed, what has arrived is kept when
 * the connection breaks.
 */
export const streamedPaths: ReadonlySet<string> = new Set(
  Object.keys(bodyMebibytesMax).filter((path) => /\/(?:tus|import_archives)\/?$/.test(path)),
);

/** What holds for addresses of the API, for programs with a key and for browsers with a session. */
function belowRoots(limits: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).flatMap(([path, max]) =>
      ['/api/v1', '/json'].map((root) => [`${root}${path}`, max] as const),
    ),
  );
}

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
