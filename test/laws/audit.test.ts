import { expect, test } from 'vitest';

import { type Accepted, judge } from '../audit/judge.ts';

/** What npm prints, shortened. */
const printed = (vulnerabilities: object) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities,
    metadata: { vulnerabilities: { total: 0 }, dependencies: { prod: 3, dev: 4, total: 7 } },
  });

const url = 'https://github.com/advisories/GHSA-xxxx-yyyy-zzzz';
const found = printed({
  leaky: {
    name: 'leaky',
    severity: 'high',
    isDirect: false,
    via: [{ source: 1, name: 'leaky', title: 'It leaks', url, severity: 'high', range: '<1.2.3' }],
    effects: ['outer'],
    range: '<1.2.3',
    nodes: ['node_modules/leaky'],
    fixAvailable: true,
  },
  outer: {
    name: 'outer',
    severity: 'high',
    isDirect: true,
    via: ['leaky'],
    effects: [],
    range: '*',
    nodes: ['node_modules/outer'],
    fixAvailable: false,
  },
});
const finding = { package: 'leaky', severity: 'high', title: 'It leaks', url };
const acceptedUntil = (until: string): Accepted => ({ url, reason: 'It is not called.', until });

test('an audit without advisories finds nothing, and counts the packages', () => {
  expect(judge(printed({}), [], '2026-01-31')).toEqual({
    packages: 7,
    findings: [],
    accepted: [],
    unused: [],
  });
});

test('an advisory is found once, at the package that it is about', () => {
  expect(judge(found, [], '2026-01-31')).toMatchObject({ findings: [finding], accepted: [] });
});

test('an advisory is accepted to the end of its day, and then found again', () => {
  const accepted = [acceptedUntil('2026-01-31')];
  expect(judge(found, accepted, '2026-01-31')).toMatchObject({ findings: [], accepted: [finding] });
  expect(judge(found, accepted, '2026-02-01')).toMatchObject({ findings: [finding], accepted: [] });
});

test('an accepted advisory that is gone is named', () => {
  const accepted = [acceptedUntil('2026-01-31')];
  expect(judge(printed({}), accepted, '2026-01-01')).toMatchObject({ findings: [], unused: accepted });
});

test.each([
  [
    'a registry without advisories',
    JSON.stringify({
      message: '405 Method Not Allowed',
      method: 'POST',
      statusCode: 405,
      body: '',
      error: { summary: '', detail: '' },
    }),
    '405',
  ],
  [
    'no registry',
    JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'getaddrinfo ENOTFOUND' } }),
    'ENOTFOUND',
  ],
  ['no npm', '', 'no report'],
  ['something else', '[]', 'no report'],
])('an audit that meets %s has not run', (_, said, reason) => {
  expect(judge(said, [], '2026-01-31')).toEqual({ notRun: expect.stringContaining(reason) });
});
