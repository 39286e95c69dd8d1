import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { pagesIn, root } from './source-files.ts';

const pages = pagesIn('.');

/** What stands outside of code, where links are links. */
const prose = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors of a page's headings, as forges make them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} +(.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/ /g, '-');
    let unique = anchor;
    for (let number = 1; anchors.has(unique); number += 1) unique = `${anchor}-${number}`;
    anchors.add(unique);
  }
  return anchors;
}

/** What is wrong with the links of a page, as `page: link`. */
function brokenLinks(page: string, text: string): string[] {
  const links = [...prose(text).matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)].map(([, link]) => link ?? '');
  return links
    .filter((link) => !/^[a-z]+:/i.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = join(root, dirname(page), path);
      if (!existsSync(target)) return true;
      if (anchor === undefined) return false;
      return !anchorsOf(path === '' ? text : readFileSync(target, 'utf8')).has(anchor);
    })
    .map((link) => `${page}: ${link}`);
}

test('every relative link of every page leads to a file, and to a heading that is there', () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.flatMap((page) => brokenLinks(page, readFileSync(join(root, page), 'utf8')))).toEqual([]);
});

test('a link to a file or a heading that is missing is found', () => {
  const text = '# One\n\n[a](missing.md) [b](#two) [c](#one) [d](README.md#nothing) `[e](missing.md)`\n';
  expect(brokenLinks('CHANGELOG.md', text)).toEqual([
    'CHANGELOG.md: missing.md',
    'CHANGELOG.md: #two',
    'CHANGELOG.md: README.md#nothing',
  ]);
});

/** Files and folders that there are while it runs, or in an archive. */
const madeByPrograms = new Set([
  'dev.json',
  'cluster.json',
  'manifest.json',
  'end.json',
  'logs/',
  'coverage/',
]);

const everyFile = pagesIn('.', /./).map((path) => `/${path}`);
const isThere = (name: string) =>
  everyFile.some((path) => (name.endsWith('/') ? path.includes(`/${name}`) : path.endsWith(`/${name}`)));

/** Names in code that look like files, or folders, of the repository and are none. A folder ends with a slash. */
const missingFiles = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`(?:\.\/)?(\w[\w@./-]*)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => /\.(tsx?|sql|lua|js|css|ya?ml|sh|py|html|json|md)$|^[a-z][a-z-]*\/$/.test(name))
    .filter((name) => !name.includes('NNNN') && !madeByPrograms.has(name) && !isThere(name));

// The changelog names what was there then.
test.each(pages.filter((page) => page !== 'CHANGELOG.md'))('every file that %s names is there', (page) => {
  expect(missingFiles(readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

test('a file that is not there is found', () => {
  expect(missingFiles('`nothing/like-it.ts`, `nothing-like-it/`, `pages.test.ts`, `laws/`')).toEqual([
    'nothing/like-it.ts',
    'nothing-like-it/',
  ]);
});

test('every page of docs/ can be reached from the README, in two steps at most', () => {
  const linked = (page: string) =>
    [...prose(readFileSync(join(root, page), 'utf8')).matchAll(/\]\(([^()\s#]+)/g)]
      .map(([, link]) => join(dirname(page), link ?? ''))
      .filter((path) => pages.includes(path));
  const first = linked('README.md');
  const reached = new Set([...first, ...first.flatMap(linked)]);
  const documents = pages.filter((page) => page.startsWith('docs/'));
  expect(documents.length).toBeGreaterThan(5);
  expect(documents.filter((page) => !reached.has(page))).toEqual([]);
});

test('the README is a front page: 120 lines at most', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('every room has a README', () => {
  const rooms = new Set(
    pagesIn('.', /package\.json$/)
      .map(dirname)
      .filter((folder) => /^(services|shared)\/[^/]+$|^(infra|test)$/.test(folder)),
  );
  expect(rooms.size).toBeGreaterThan(15);
  expect([...rooms].filter((room) => !existsSync(join(root, room, 'README.md')))).toEqual([]);
});
