import { statSync } from 'node:fs';
import { dirname } from 'node:path';

import { nameOfUser } from './machine/server-user.ts';

/** What Node says of a call to the system that failed. */
type SystemError = Pick<NodeJS.ErrnoException, 'code' | 'path'> & { message: string };

const chooseAnother = 'Or choose another folder with PARLEY_DIR=/path/to/folder.';
/** A limit of a file's size (`ulimit -f`) is met as a full disk is. */
const noSpace = /ENOSPC|EDQUOT|EFBIG|No space left on device|Disk quota exceeded|File too large/i;

const explanations: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) =>
    `${nameOfUser(process.getuid?.() ?? -1)} may not use ${path}: ${ownerOf(path)}. ` +
    `Start Parley as that user, or make the folder yours with chown. ${chooseAnother}`,
  EEXIST: (path) => `${path} is a file, and Parley needs a folder there. Move it away. ${chooseAnother}`,
  ENOTDIR: (path) =>
    `${path} is below a file, and Parley needs a folder there. Move it away. ${chooseAnother}`,
  EROFS: (path) => `The disk with ${path} is read-only. Mount it for writing. ${chooseAnother}`,
  ENAMETOOLONG: (path) => `The path ${path} is too long. Start Parley from a shorter one. ${chooseAnother}`,
};

/** Why Parley did not start, in sentences that say what to do next. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path, message }: SystemError = error;
  if (noSpace.test(`${code} ${message}`)) {
    return `There is no space left. Make room on the disk. ${chooseAnother}\n\n${message}`;
  }
  const explain = explanations[code === 'EPERM' ? 'EACCES' : code];
  return explain && path !== undefined ? explain(path) : message;
}

/** Whose the path is, or the folder that exists above it. */
function ownerOf(path: string): string {
  try {
    return `${path} belongs to ${nameOfUser(statSync(path).uid)}`;
  } catch {
    return ownerOf(dirname(path));
  }
}
