/** The path id of an upload, by its path as a text may write it. */
export const toUploadPathId = (written: string): string =>
  decode(written).normalize('NFKC').replace(/\.+$/, '');

function decode(written: string): string {
  try {
    return decodeURIComponent(written).replaceAll('\0', '');
  } catch {
    return written;
  }
}
