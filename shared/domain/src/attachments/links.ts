import { limits } from '@parley/protocol';

const link = /\/user_uploads\/(?:thumbnail\/)?(\d{1,10}\/[\w-]{10,60}\/[\p{L}\p{M}\p{N}_.%-]+)/gu;

/** Whether a text may refer to uploads at all: asked of every message. */
export const mayHaveLinks = (content: string) => content.includes('/user_uploads/');

/** The path ids that a text links to, each once. Whether there are such files is not known here. */
export function listLinks(content: string): string[] {
  if (!mayHaveLinks(content)) return [];
  const found = new Set<string>();
  for (const [, written = ''] of content.matchAll(link)) {
    // A full stop after an address is not of it: no name ends in one.
    const path = decode(written).normalize('NFKC').replace(/\.+$/, '');
    if (found.size < limits.attachmentsPerMessage) found.add(path);
  }
  return [...found];
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written).replaceAll('\0', '');
  } catch {
    return written;
  }
}
