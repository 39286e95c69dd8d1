import { checksumsPath, dataPath, endPath, manifestPath, supersededPath } from '../manifest.ts';
import { refused } from './refused.ts';

/** What a file of an archive is, by its path. */
export type Member =
  | { kind: 'manifest' | 'superseded' | 'end' }
  | { kind: 'checksums'; part: number }
  | { kind: 'rows'; part: number; table: string; chunk: number }
  | { kind: 'file'; folder: string; realmId: number; rest: string };

const patterns = {
  rows: /^data\/(\d{6,9})\/(\w{1,60})\.(\d{6,9})\.ndjson$/,
  checksums: /^parts\/(\d{6,9})\.json$/,
  /** Folders of the file store in which archives have files, the realm's folder in them, and what is there. */
  file: /^files\/(uploads|avatars|realm-pictures|emoji)\/([1-9]\d{0,9})\/([\w-]{1,64}\/[\w.-]{1,60})$/,
};

const fixed: Readonly<Record<string, Member>> = {
  [manifestPath]: { kind: 'manifest' },
  [supersededPath]: { kind: 'superseded' },
  [endPath]: { kind: 'end' },
};

/** @throws ArchiveRefused for a path that no file of an archive has */
export function memberOf(path: string): Member {
  const known = Object.hasOwn(fixed, path) ? fixed[path] : undefined;
  const member = known ?? rowsMember(path) ?? checksumsMember(path) ?? fileMember(path);
  if (!member) throw refused('file_foreign', { path });
  return member;
}

function rowsMember(path: string): Member | undefined {
  const [, part, table, chunk] = patterns.rows.exec(path) ?? [];
  if (part === undefined || table === undefined) return undefined;
  const member = { kind: 'rows', part: Number(part), table, chunk: Number(chunk) } as const;
  return dataPath(member.part, table, member.chunk) === path ? member : undefined;
}

function checksumsMember(path: string): Member | undefined {
  const part = Number(patterns.checksums.exec(path)?.[1] ?? Number.NaN);
  return checksumsPath(part) === path ? { kind: 'checksums', part } : undefined;
}

function fileMember(path: string): Member | undefined {
  const [, folder, realmId, rest] = patterns.file.exec(path) ?? [];
  return folder === undefined || rest === undefined || rest.endsWith('/..') || rest.endsWith('/.')
    ? undefined
    : { kind: 'file', folder, realmId: Number(realmId), rest };
}
