import { createHash } from 'node:crypto';

import { type ArchiveFile, readChunks, readFiles } from './entries.ts';
import { memberOf } from './members.ts';
import { PartCheck, type Verified } from './parts.ts';

/**
 * Reads an archive from beginning to end and compares all of it with its checksums, a piece of a file at a time.
 *
 * @throws ArchiveRefused if it is no archive, is damaged, or is of a version that is not known here
 */
export async function verifyArchive(archive: string): Promise<Verified> {
  const parts = new PartCheck();
  for await (const file of readFiles(archive)) await verify(parts, file);
  return parts.end();
}

async function verify(parts: PartCheck, file: ArchiveFile): Promise<void> {
  const member = memberOf(file.path);
  parts.assertGoesOn(file, member);
  if (member.kind === 'manifest') return await parts.readManifest(file);
  if (member.kind === 'checksums') return await parts.endPart(file, member.part);
  if (member.kind === 'rows') parts.assertContinues(file, member);
  if (member.kind === 'end') parts.noteEnd();
  const hash = createHash('sha256');
  for await (const chunk of readChunks(file.content)) hash.update(chunk);
  parts.add(file, hash.digest('hex'));
}
