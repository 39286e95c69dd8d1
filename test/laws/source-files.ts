import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = new URL('../..', import.meta.url).pathname;

/** A file of the repository, as the laws about code read it. */
export interface SourceFile {
  /** From the root of the repository. */
  path: string;
  text: string;
  /** What it imports or re-exports, as written; types count. */
  imports: string[];
}

const specifier = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*'([^'\n]+)'/g;

export const sourceFile = (path: string, text: string): SourceFile => ({
  path,
  text,
  imports: [...text.matchAll(specifier)].map(([, name]) => name ?? ''),
});

/** TypeScript, SQL and Lua below a folder, without what is built or installed there. */
export function filesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|sql|lua)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')));
}

/** Paths of Markdown pages (or of others) below a folder, without those of packages and of what is built. */
export function pagesIn(folder: string, pattern = /\.md$/): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isOurs = !['node_modules', 'dist', '.git', '.parley', 'coverage'].includes(entry.name);
      return isOurs ? pagesIn(path, pattern) : [];
    }
    return pattern.test(entry.name) ? [path] : [];
  });
}

export const isTest = ({ path }: SourceFile) => /\.test(-support)?\.tsx?$/.test(path);

/** Imports that break a rule, as `file: import`. */
export const offences = (files: SourceFile[], breaks: (name: string, file: SourceFile) => boolean) =>
  files.flatMap((file) =>
    file.imports.filter((name) => breaks(name, file)).map((name) => `${file.path}: ${name}`),
  );

/** Paths of the files that a file imports by relative names. */
export const importedFiles = ({ path, imports }: SourceFile): string[] =>
  imports.filter((name) => name.startsWith('.')).map((name) => join(path, '..', name));

/** Circles of files that import each other, each as the paths that are in it. */
export function circlesIn(files: SourceFile[]): string[][] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const circles: string[][] = [];
  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path);
    if (at >= 0) circles.push(trail.slice(at));
    const file = byPath.get(path);
    if (at >= 0 || done.has(path) || !file) return;
    for (const target of importedFiles(file)) visit(target, [...trail, path]);
    done.add(path);
  }
  for (const { path } of files) visit(path, []);
  return circles;
}
