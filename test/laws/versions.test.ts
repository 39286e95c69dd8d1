import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { versionFields } from '@parley/protocol';
import { expect, test } from 'vitest';

import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const changelog = read('CHANGELOG.md');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** Each `## ` heading of the changelog with the text below it. */
const sections = changelog
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    heading: text.split('\n')[0] ?? '',
    body: text.split('\n').slice(1).join('\n').trim(),
  }));

test('the changelog has the version that is being made first, and it is that of package.json', () => {
  expect(sections[0]?.heading).toBe('[Unreleased]');
  expect(sections[0]?.body.split('\n')[0]).toBe(`Version ${version}.`);
});

test('clients are told the version of package.json, beside the release of the API, which is a number', () => {
  expect(versionFields.parley_version).toBe(version);
  const { svc_version, zulip_version, svc_merge_base, zulip_merge_base } = versionFields;
  for (const release of [svc_version, zulip_version, svc_merge_base, zulip_merge_base]) {
    expect(release).toMatch(/^\d+\.\d+$/);
  }
});

test('the lock file has the version of package.json', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
  expect(lock.packages['']?.version).toBe(version);
});

test('the Helm chart is of the version of package.json, and installs it', () => {
  const chart = read('infra/k8s/chart/Chart.yaml');
  const fields = [...chart.matchAll(/^(?:version|appVersion): (.+)$/gm)].map(([, value]) => value);
  expect(fields).toEqual([version, version]);
});

test('each released version has a date, its commit and the last migration of its schema, the newest first', () => {
  const released = sections.slice(1);
  expect(released.length).toBeGreaterThan(1);
  for (const { heading, body } of released) {
    expect(heading).toMatch(/^\[0\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
    expect(body.split('\n')[0]).toMatch(/^Commit [0-9a-f]{40}(, schema \d{4})?\.$/);
  }
  const minors = released.map(({ heading }) => Number(/^\[0\.(\d+)/.exec(heading)?.[1]));
  expect(minors).toEqual([...minors].sort((a, b) => b - a));
  expect(new Set(minors).size).toBe(minors.length);
});
