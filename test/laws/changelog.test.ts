import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { readVersions } from '../versions/changelog.ts';

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

describe('the changelog', () => {
  test('gives each release with its commit, the last one first', () => {
    const text = `## [Unreleased]

### Added

## [0.2.0] - 2026-11-02

Commit ${'2'.repeat(40)}, schema 0013.

## [0.1.0] - 2026-11-01

Commit ${'1'.repeat(40)}.
`;
    expect(readVersions(text)).toEqual([
      { name: '0.2.0', commit: '2'.repeat(40) },
      { name: '0.1.0', commit: '1'.repeat(40) },
    ]);
  });

  test('gives every release a commit', () => {
    const headings = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, name]) => name);
    expect(readVersions(changelog).map(({ name }) => name)).toEqual(headings);
    expect(headings.length).toBeGreaterThan(1);
  });
});
