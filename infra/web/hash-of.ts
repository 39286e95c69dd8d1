import { createHash } from 'node:crypto';

/** Returns what stands in the name of a file, and changes with its content. */
export const hashOf = (content: string | Buffer): string =>
  createHash('sha256')
    .update(content)
    .digest('base64url')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 8);
