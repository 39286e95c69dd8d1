/** A version that was released. */
export interface Version {
  name: string;
  commit: string;
}

const releases = /^## \[(\d+\.\d+\.\d+)\][^\n]*\n+Commit ([0-9a-f]{40})\b/gm;

/** The versions that a changelog lists, the last one first. */
export function readVersions(changelog: string): Version[] {
  return [...changelog.matchAll(releases)].map(([, name = '', commit = '']) => ({ name, commit }));
}
