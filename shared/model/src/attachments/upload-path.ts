/**
 * Returns the path id of an upload whose path stands in a message, where it may be percent-encoded or end in a full
 * stop.
 */
export const toUploadPathId = (path: string): string => decode(path).normalize('NFKC').replace(/\.+$/, '');

function decode(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll('\0', '');
  } catch {
    return path;
  }
}
