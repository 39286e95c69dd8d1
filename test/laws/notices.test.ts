import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** Line breaks and indentation do not matter. */
const words = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Packages that run in a deployment, as folders. */
function runtimePackages(): string[] {
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; link?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional, link }]) => path.includes('node_modules/') && !dev && !optional && !link)
    .map(([path]) => path);
}

test('the licence is the one that package.json names', () => {
  const { license } = JSON.parse(read('package.json')) as { license: string };
  expect(license).toBe('Apache-2.0');
  expect(words(read('LICENSE'))).toContain('Apache License Version 2.0, January 2004');
});

test('NOTICE passes on the notice of every package that has one and runs in a deployment', () => {
  const notice = words(read('NOTICE'));
  const found = runtimePackages().flatMap((path) =>
    readdirSync(join(root, path))
      .filter((name) => /^notice/i.test(name))
      .map((name) => join(path, name)),
  );
  expect(found).not.toEqual([]);
  expect(found.filter((path) => !notice.includes(words(read(path))))).toEqual([]);
});

test('NOTICE names the copyright of every package that the web client contains', () => {
  const notice = words(read('NOTICE'));
  const dependenciesOf = (room: string) =>
    Object.keys(
      (JSON.parse(read(`${room}/package.json`)) as { dependencies: Record<string, string> }).dependencies,
    );
  const lines = [...dependenciesOf('services/web'), ...dependenciesOf('shared/strings')]
    .filter((name) => !name.startsWith('@parley/'))
    .flatMap((name) => {
      const folder = join('node_modules', name);
      const files = readdirSync(join(root, folder)).filter((file) => /^licen[cs]e/i.test(file));
      return files.flatMap((file) => [
        ...read(join(folder, file)).matchAll(/^Copyright (?:\(c\)|\d{4}) .+?(?=$| \w+-Italic)/gm),
      ]);
    })
    .map(([line]) => words(line));
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.filter((line) => !notice.includes(line))).toEqual([]);
});
