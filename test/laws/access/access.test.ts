import { type JsonEndpoint, nameOf } from '@parley/api';
import { beforeAll, describe, expect, test } from 'vitest';

import { type Params, type Reply, basic, jsonEndpoints } from '../../support/index.ts';
import { access as table } from '../resources/index.ts';
import { type Caller, callers, nobody } from './callers.ts';
import type { Case } from './cases.ts';
import { type Fixture, createFixture, secrets } from './fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

async function ask({ method, path }: JsonEndpoint, caller: Caller, params: Params): Promise<Reply> {
  const { [caller]: person } = fixture.callers;
  const rest = { ...params };
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const { [name]: value } = rest;
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return await person.ask(method, filled, rest, {
    ...(caller === 'anonymous' && { authorization: null }),
    ...(caller === 'intruder' && {
      host: fixture.realm.host,
      authorization: basic(person.email, person.apiKey),
    }),
  });
}

function expected({ auth }: JsonEndpoint, { may, code, codes }: Case, caller: Caller): string | undefined {
  if (codes?.[caller] !== undefined) return codes[caller];
  if (auth !== 'none' && nobody.includes(caller)) {
    return caller === 'anonymous' ? 'UNAUTHENTICATED_USER' : 'UNAUTHORIZED';
  }
  return may.includes(caller) ? 'ok' : code;
}

const cases = jsonEndpoints.flatMap((endpoint) =>
  (table[nameOf(endpoint)] ?? []).map((one) => [`${nameOf(endpoint)}, ${one.of}`, endpoint, one] as const),
);

describe('who may do what', () => {
  test.each(cases)('%s', async (_, endpoint, one) => {
    const answers: Partial<Record<Caller, string>> = {};
    const asking = one.callers ?? callers;
    for (const caller of asking) {
      const params = await one.params(fixture, caller);
      const { status, body, text } = await ask(endpoint, caller, params);
      answers[caller] = status < 400 ? 'ok' : body.code;
      const sent = JSON.stringify(params);
      const told = secrets.filter(
        ({ text: secret, isFor }) =>
          !isFor.includes(caller) && !sent.includes(secret) && text.includes(secret),
      );
      expect(told, `${caller} was told what is not theirs to know: ${text.slice(0, 300)}`).toEqual([]);
    }
    expect(answers).toEqual(
      Object.fromEntries(asking.map((caller) => [caller, expected(endpoint, one, caller)])),
    );
  });

  test('is said of every endpoint', () => {
    expect(Object.keys(table).sort(), 'a new endpoint needs a case').toEqual(
      jsonEndpoints.map(nameOf).sort(),
    );
  });
});
