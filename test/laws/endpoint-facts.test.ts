import { commonErrors, endpoints, nameOf } from '@parley/api';
import { type ErrorCode, errorStatus, versionFields } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { jsonEndpoints } from '../support/index.ts';

const all = endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const);

const hasRepeats = (values: readonly unknown[]) => new Set(values).size < values.length;

/** Endpoints of a later level than the advertised one: served to programs that try them without asking for it. */
const ahead = ['GET /users/:user_id/channels'];

describe('what an endpoint says of itself', () => {
  test.each(all)('%s: its summary is a sentence', (_, { summary }) => {
    expect(summary).toMatch(/^[A-Z].*[^.\s]\.$/);
    expect(summary.length).toBeLessThanOrEqual(120);
  });

  test('no two have one name', () => {
    expect(hasRepeats(endpoints.map(nameOf))).toBe(false);
  });

  test('no two summaries are alike', () => {
    const summaries = endpoints.map(({ summary }) => summary.toLowerCase());
    expect(summaries.filter((summary, index) => summaries.indexOf(summary) < index)).toEqual([]);
  });

  test('it came with a feature level that the server has reached', () => {
    const levels = endpoints.flatMap(({ since }) => since ?? []);
    expect(levels.filter((level) => !Number.isInteger(level) || level < 1)).toEqual([]);
    const later = endpoints.filter(({ since }) => since !== null && since > versionFields.svc_feature_level);
    expect(later.map(nameOf)).toEqual(ahead);
  });

  test('a topic is taken under its deprecated name, wherever one is taken', () => {
    const taking = jsonEndpoints.flatMap((endpoint) => {
      const name = Object.keys(endpoint.params).find((param) => /^topic(_name)?$/.test(param));
      return name === undefined ? [] : [{ endpoint, name }];
    });
    expect(taking.map(({ endpoint }) => nameOf(endpoint))).toContain('POST /scheduled_messages');
    for (const { endpoint, name } of taking) {
      expect(endpoint.aliases, nameOf(endpoint)).toMatchObject({ subject: name });
    }
  });

  test('bodies are long only where whoever sends them has an account', () => {
    const long = jsonEndpoints.filter(({ isLong }) => isLong);
    expect(long.map(nameOf)).toContain('POST /drafts');
    expect(long.filter(({ auth }) => auth === 'none' || auth === 'spectator').map(nameOf)).toEqual([]);
  });

  test.each(all)('%s: its errors are codes of the catalogue, each once, none common', (_, endpoint) => {
    const codes: readonly ErrorCode[] = endpoint.errors;
    expect(codes.filter((code) => !Object.hasOwn(errorStatus, code))).toEqual([]);
    expect(hasRepeats(codes)).toBe(false);
    expect(codes.filter((code) => commonErrors(endpoint).includes(code))).toEqual([]);
  });
});

describe('the codes that follow from a declaration', () => {
  const of = (name: string) => {
    const [, endpoint] = all.find(([known]) => known === name) ?? [];
    return endpoint ? commonErrors(endpoint).toSorted() : [];
  };

  test('are few where anybody may ask and nothing is sent', () => {
    expect(of('GET /server_settings')).toEqual([
      'BAD_REQUEST',
      'NONEXISTENT_SUBDOMAIN',
      'RATE_LIMIT_HIT',
      'SERVER_NOT_READY',
    ]);
  });

  test('count credentials, required parameters and aliases', () => {
    expect(of('POST /messages')).toEqual(
      expect.arrayContaining([
        'UNAUTHENTICATED_USER',
        'UNAUTHORIZED',
        'REQUEST_VARIABLE_MISSING',
        'REQUEST_CONFUSING_VAR',
      ]),
    );
    expect(of('POST /messages')).not.toContain('UNAUTHORIZED_PRINCIPAL');
    expect(of('GET /users/:user'), 'a part of the path is never missing').not.toContain(
      'REQUEST_VARIABLE_MISSING',
    );
  });

  test('count the role that everybody needs', () => {
    expect(of('POST /users')).toContain('UNAUTHORIZED_PRINCIPAL');
  });
});
