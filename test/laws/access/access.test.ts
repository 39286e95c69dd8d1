import { type Endpoint, addressOf, endpoints, nameOf } from '@parley/api';
import { beforeAll, describe, expect, test } from 'vitest';

import { createRandom, shuffle } from '../../chaos/random.ts';
import { isOfToday, testNothingLeftOut } from '../../support/by-day.ts';
import { type Params, type Reply, basic, call, encode, getWorld } from '../../support/index.ts';
import { seed } from '../../support/seed.ts';
import { refusalOf } from '../endpoints/kinds.ts';
import { type Fixture, createFixture, secrets } from '../fixtures/access.ts';
import { type Caller, callers, nobody } from '../fixtures/callers.ts';
import type { Case } from '../fixtures/cases.ts';
import { access as table } from '../resources/index.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

async function ask(endpoint: Endpoint, caller: Caller, params: Params): Promise<Reply> {
  const { [caller]: person } = fixture.callers;
  const rest = { ...params };
  const fill = (path: string) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const { [name]: value } = rest;
      delete rest[name];
      return encodeURIComponent(String(value));
    });
  if (endpoint.kind !== 'json' || endpoint.auth === 'session') {
    return await askBeside(endpoint, caller, fill(addressOf(endpoint)), rest);
  }
  return await person.ask(endpoint.method, fill(endpoint.path), rest, {
    ...(caller === 'anonymous' && { authorization: null }),
    ...(caller === 'intruder' && {
      host: fixture.realm.host,
      authorization: basic(person.email, person.apiKey),
    }),
  });
}

/** Asks for what no program asks for as JSON with a key: a page, a file, a step of an upload. */
async function askBeside(
  { kind, method }: Endpoint,
  caller: Caller,
  path: string,
  params: Params,
): Promise<Reply> {
  const { [caller]: person } = fixture.callers;
  const { ports } = await getWorld();
  const encoded = encode(params);
  return await call({
    port: ports.api,
    method,
    path: method === 'GET' && encoded ? `${path}?${encoded}` : path,
    headers: {
      Host: caller === 'intruder' ? fixture.realm.host : person.realm.host,
      Accept: 'application/json',
      ...(caller !== 'anonymous' && { Authorization: basic(person.email, person.apiKey) }),
      ...(kind === 'tus' && { 'Tus-Resumable': '1.0.0', 'Upload-Length': '3', 'Upload-Offset': '0' }),
      ...(method !== 'GET' && {
        'Content-Type':
          kind === 'tus' ? 'application/offset+octet-stream' : 'application/x-www-form-urlencoded',
      }),
    },
    ...(method === 'PATCH' && { body: 'abc' }),
    ...(method === 'POST' && kind !== 'tus' && { body: encoded }),
  });
}

function expected({ auth }: Endpoint, { may, code, codes }: Case, caller: Caller): string | undefined {
  if (codes?.[caller] !== undefined) return codes[caller];
  if (auth !== 'none' && auth !== 'optional' && nobody.includes(caller)) {
    return caller === 'anonymous' ? 'UNAUTHENTICATED_USER' : 'UNAUTHORIZED';
  }
  return may.includes(caller) ? 'ok' : code;
}

/**
 * Who comes along: by night everybody; by day a sixth of them, and always somebody of each answer, so that neither a
 * check that is gone nor one that refuses everybody waits for another day.
 */
function callersOf(endpoint: Endpoint, one: Case, index: number): Caller[] {
  const all = one.callers ?? callers;
  const ofToday = all.filter((_, at) => isOfToday(at + index, 6));
  const answers = new Set(all.map((caller) => expected(endpoint, one, caller)));
  const first = shuffle(all, createRandom(seed + index));
  const others = [...answers].flatMap((answer) => {
    const theirs = (caller: Caller) => expected(endpoint, one, caller) === answer;
    return ofToday.some(theirs) ? [] : first.filter(theirs).slice(0, 1);
  });
  return all.filter((caller) => ofToday.includes(caller) || others.includes(caller));
}

const cases = endpoints
  .flatMap((endpoint) => (table[nameOf(endpoint)] ?? []).map((one) => ({ endpoint, one })))
  .map(
    ({ endpoint, one }, index) =>
      [`${nameOf(endpoint)}, ${one.of}`, endpoint, one, callersOf(endpoint, one, index)] as const,
  );

describe('who may do what', () => {
  test.each(cases)('%s', async (_, endpoint, one, asking) => {
    const answers: Partial<Record<Caller, string>> = {};
    for (const caller of asking) {
      const params = await one.params(fixture, caller);
      const reply = await ask(endpoint, caller, params);
      const { text } = reply;
      answers[caller] = refusalOf(reply) ?? 'ok';
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

  const count = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);
  const of = count(cases.map(([, , one]) => (one.callers ?? callers).length));
  testNothingLeftOut('who asks each endpoint', {
    left: of - count(cases.map(([, , , asking]) => asking.length)),
    of,
  });

  test('is said of every endpoint', () => {
    expect(Object.keys(table).sort(), 'a new endpoint needs a case').toEqual(endpoints.map(nameOf).sort());
  });
});
