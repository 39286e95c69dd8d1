/** Headers of every API reply, as a raw array for `writeHead`. */
export const jsonHeaders: string[] = [
  'Content-Type',
  'application/json',
  'Cache-Control',
  'private, no-store, max-age=0',
  'Vary',
  'Accept-Language, Authorization',
];

export const internalError = { result: 'error', msg: 'Internal server error' } as const;

export const methodNotAllowed = (allowed: string[]) => ({
  result: 'error',
  msg: 'Method Not Allowed',
  allowed_methods: allowed,
});
