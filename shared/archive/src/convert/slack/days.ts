import { type Json, isObject, listOf } from '../json.ts';

const dayFile = /^(?<folder>.+)\/(?<day>\d{4}-\d\d-\d\d)\.json$/;

/** Returns the folder in the archive in which the lists are; undefined if this is no export of Slack. */
export function slackRoot(paths: Iterable<string>): string | undefined {
  let root: string | undefined;
  for (const path of paths) {
    const [, folder] = /^((?:[^/]+\/)?)(?:org_)?users\.json$/.exec(path) ?? [];
    if (folder !== undefined && (root === undefined || folder.length < root.length)) root = folder;
  }
  return root;
}

/** Returns the files with messages, the earliest days first. */
export function daysOf(
  paths: Iterable<string>,
  root: string,
): { path: string; folder: string; day: string }[] {
  const days = [...paths].flatMap((path) => {
    if (!path.startsWith(root)) return [];
    const { folder, day } = dayFile.exec(path.slice(root.length))?.groups ?? {};
    return folder === undefined || day === undefined ? [] : [{ path, folder, day }];
  });
  return days.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.path < b.path ? -1 : 1));
}

/** Returns the files of a message: old messages have one, in a field of its own. */
export const filesOf = (message: Json): Json[] =>
  [...listOf(message['files']), ...listOf([message['file']])].filter(isObject);
