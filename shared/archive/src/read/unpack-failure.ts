import { ArchiveRefused, refused } from './refused.ts';

/** What zlib, yauzl and tar-stream say of what is not there as a whole. */
const cutShort =
  /^(?:unexpected end of file|unexpected EOF|Unexpected end of data|End of central directory record signature not found\b.*)$/;
const leadsOut = /^(?:absolute path|invalid relative path): (?<path>.*)$/s;
const otherZip =
  /^(?:multi-disk zip files are not supported|strong encryption is not supported|unsupported compression method)/;

/** The operating system's own failures, such as a file that does not exist. */
const isOfSystem = (error: unknown) => error instanceof Error && 'syscall' in error;

/** Returns what an archive that cannot be unpacked is refused with; the operating system's own failures as they are. */
export function unreadable(error: unknown, path?: string): unknown {
  if (error instanceof ArchiveRefused || isOfSystem(error)) return error;
  const said = error instanceof Error ? error.message : '';
  if (cutShort.test(said)) return refused('cut_short', { path });
  const outside = leadsOut.exec(said)?.groups?.['path'];
  if (outside !== undefined) return refused('leads_out', { path: outside });
  return otherZip.test(said) ? refused('zip_kind') : refused('not_unpacked', { path });
}
