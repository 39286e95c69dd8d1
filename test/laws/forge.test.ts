import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { filesIn, pagesIn, root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts, engines } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

const workflowsFolder = '.github/workflows';
const workflows = readdirSync(join(root, workflowsFolder)).map((name) => join(workflowsFolder, name));

/** Commands of the repository that a text names, and that are not there. */
const missingScripts = (text: string) =>
  [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !Object.hasOwn(scripts, name));

describe('every npm command that is named is there', () => {
  test.each(pagesIn('.').filter((page) => page !== 'CHANGELOG.md'))(
    'every npm command that %s names is there',
    (page) => {
      expect(missingScripts(read(page))).toEqual([]);
    },
  );

  test.each(workflows)('every npm command that %s names is there', (workflow) => {
    expect(missingScripts(read(workflow))).toEqual([]);
  });

  test('every npm command that the code names is there', () => {
    const files = ['infra', 'services', 'shared', 'test'].flatMap((folder) => filesIn(folder));
    const missing = files
      .filter(({ path }) => path !== 'test/laws/forge.test.ts')
      .flatMap(({ path, text }) => missingScripts(text).map((name) => `${path}: ${name}`));
    expect(missing).toEqual([]);
  });

  test('an npm command that does not exist is found', () => {
    expect(missingScripts('npm run lint, then `npm run nothing-like-it`')).toEqual(['nothing-like-it']);
  });
});

describe('the workflows', () => {
  test.each(workflows)('%s is YAML with jobs that may only read the repository', (workflow) => {
    const { permissions, jobs } = parse(read(workflow)) as { permissions: unknown; jobs: object };
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(jobs)).not.toEqual([]);
  });

  test('run the floor that package.json declares, and the Node of the image', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { test: { strategy: { matrix: { node: string[] } } } };
    };
    const { node } = jobs.test.strategy.matrix;
    expect(engines.node.startsWith(`^${node[0]}.0 || `), engines.node).toBe(true);
    const [, image] = /^ARG NODE=node:(\d+)-/m.exec(read('infra/image/Dockerfile')) ?? [];
    expect(read('.nvmrc').trim()).toBe(image);
    expect(node).toContain(image);
  });
});

test('updates are looked for wherever dependencies are declared', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory: string }[];
  };
  const places = Object.fromEntries(updates.map((update) => [update['package-ecosystem'], update.directory]));
  const files = { npm: 'package.json', docker: 'Dockerfile', 'docker-compose': 'compose.yaml' };
  for (const [ecosystem, file] of Object.entries(files)) {
    expect(existsSync(join(root, places[ecosystem] ?? '', file)), ecosystem).toBe(true);
  }
  const patched = readdirSync(join(root, 'patches'))
    .filter((name) => name.endsWith('.patch'))
    .map((name) => name.replace(/\+[^+]*$/, '').replace('+', '/'));
  expect(patched).not.toEqual([]);
  const text = read('.github/dependabot.yml');
  expect(patched.filter((name) => !text.includes(`- dependency-name: ${name}`))).toEqual([]);
});
