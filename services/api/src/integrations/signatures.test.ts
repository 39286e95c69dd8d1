import { createHash, createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { integrations } from './index.ts';

const secret = 'kettle';
const body = '{"tea":"green"}';
const bytes = Buffer.from(body);
const nowMs = 1_763_632_800_000;
const seconds = nowMs / 1000;
const url = 'https://chat.example/api/v1/external/trello?api_key=x';

const of = (text: string, algorithm = 'sha256') => createHmac(algorithm, secret).update(text);
const jws = (claims: object, by = secret) => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', by).update(signed).digest('base64url')}`;
};
const digest = createHash('sha256').update(body).digest('hex');
const hex = of(body).digest('hex');

/** What each product sends with the body, in its header, as its documentation has it. */
const right: Record<string, [header: string, value: string]> = {
  bitbucket: ['X-Hub-Signature', `sha256=${hex}`],
  buildkite: [
    'X-Buildkite-Signature',
    `timestamp=${seconds},signature=${of(`${seconds}.${body}`).digest('hex')}`,
  ],
  circleci: ['circleci-signature', `v1=${hex}`],
  gitea: ['X-Gitea-Signature', hex],
  github: ['X-Hub-Signature-256', `sha256=${hex}`],
  gitlab: ['X-Gitlab-Token', secret],
  grafana: ['X-Grafana-Alerting-Signature', hex],
  jira: ['X-Hub-Signature', `sha256=${hex}`],
  linear: ['Linear-Signature', hex],
  netlify: ['X-Webhook-Signature', jws({ iss: 'netlify', sha256: digest })],
  pagerduty: ['X-PagerDuty-Signature', `v1=${'0'.repeat(64)},v1=${hex}`],
  sentry: ['Sentry-Hook-Signature', hex],
  stripe: ['Stripe-Signature', `t=${seconds},v0=1,v1=${of(`${seconds}.${body}`).digest('hex')}`],
  trello: ['X-Trello-Webhook', of(`${body}${url}`, 'sha1').digest('base64')],
};

function isSigned(
  name: string,
  [header, value]: [string, string],
  changed: object = {},
): boolean | undefined {
  const signature = integrations.find((one) => one.name === name)?.signature;
  const headerOf = (asked: string) => (asked.toLowerCase() === header.toLowerCase() ? value : undefined);
  return signature?.isBy(secret, { bytes, url, nowMs, header: headerOf, ...changed });
}

test('every product that signs is checked', () => {
  expect(integrations.filter(({ signature }) => signature).map(({ name }) => name)).toEqual(
    Object.keys(right),
  );
});

describe.each(Object.entries(right))('a signature of %s', (name, [header, value]) => {
  test('is accepted as the product makes it', () => {
    expect(isSigned(name, [header, value])).toBe(true);
  });

  test('is refused if it is missing, cut, lengthened or of another secret', () => {
    for (const wrong of [
      '',
      value.slice(0, -1),
      `${value}0`,
      value.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ])
      expect(isSigned(name, [header, wrong]), wrong).toBe(false);
    expect(isSigned(name, ['X-Nothing', value])).toBe(false);
  });

  test('is refused for another body, unless it is the secret itself', () => {
    expect(isSigned(name, [header, value], { bytes: Buffer.from('{}') })).toBe(name === 'gitlab');
  });
});

describe.each(['buildkite', 'stripe'])('a signature of %s', (name) => {
  test('is refused five minutes after its time, or before', () => {
    const sent = right[name] ?? ['', ''];
    expect(isSigned(name, sent, { nowMs: nowMs + 299_000 })).toBe(true);
    expect(isSigned(name, sent, { nowMs: nowMs + 301_000 })).toBe(false);
    expect(isSigned(name, sent, { nowMs: nowMs - 301_000 })).toBe(false);
  });
});

test('a token of Buildkite serves where no signature is sent', () => {
  expect(isSigned('buildkite', ['X-Buildkite-Token', secret])).toBe(true);
  expect(isSigned('buildkite', ['X-Buildkite-Token', 'pot'])).toBe(false);
});

test('a JSON Web Signature of another secret, of no body or with other claims is refused', () => {
  const header = 'X-Webhook-Signature';
  for (const wrong of [jws({ sha256: digest }, 'pot'), jws({}), jws({ sha256: 1 }), 'a.b.c', '..'])
    expect(isSigned('netlify', [header, wrong]), wrong).toBe(false);
});
