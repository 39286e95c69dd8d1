// A walk expects of each endpoint what its own declaration says.
/* oxlint-disable vitest/no-conditional-expect */
import { type JsonEndpoint, endpoints, nameOf } from '@parley/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Json, type Reply, basic, getWorld, isStatusOf, jsonEndpoints } from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';
import { requests } from '../resources/index.ts';
import { type Fixture, letDeleteAndReport, createFixture } from './fixture.ts';
import { encodingOf, shape, value } from './fuzz-values.ts';
import { callerOf, send } from './send.ts';

const all = jsonEndpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const);

/** Law 5: whatever was sent, an error is a documented one. */
function checkDocumented({ status, body, text }: Reply): void {
  if (status === 200 || status === 302)
    return expect(body).toMatchObject({ result: 'success', msg: expect.any(String) });
  expect(status, text).toBeLessThan(500);
  expect(body, text).toMatchObject({ result: 'error', msg: expect.any(String), code: expect.any(String) });
  expect(isStatusOf(body.code, status), text).toBe(true);
}

/** Everything that a request could leave behind. */
async function countRows(): Promise<Json> {
  const { sql } = await getWorld();
  const [counts] = await sql`
    select (select count(*) from users) as users, (select count(*) from channels) as channels,
      (select count(*) from topics) as topics, (select count(*) from messages) as messages,
      (select count(*) from conversations) as conversations,
      (select count(*) from submessages) as submessages,
      (select count(*) from reactions) as reactions, (select count(*) from conversation_heads) as heads,
      (select count(*) from conversation_members) as members, (select count(*) from audiences) as audiences,
      (select count(*) from attachments) as attachments, (select count(*) from loose_folders) as folders,
      (select count(*) from drafts) as drafts, (select count(*) from scheduled_messages) as scheduled,
      (select count(*) from reminders) as reminders,
      (select sum(characters) from bot_storage) as stored,
      (select count(*) from saved_snippets) as snippets, (select count(*) from navigation_views) as views,
      (select count(*) from onboarding_steps_seen) as steps,
      (select count(*) from push_tokens) as devices,
      (select count(*) from event_log) as entries, (select sum(seq) from realm_heads) as seq`;
  return counts;
}

/**
 * Where the transactions that wrote anything end, as far as they are over. Each of them takes a number; what only reads
 * takes none. While this is the same, so are the rows.
 */
async function writtenUntil(): Promise<string> {
  const { sql } = await getWorld();
  const [row] = await sql<{ until: string }[]>`select pg_current_snapshot()::text as until`;
  return row?.until ?? '';
}

/** Whom each requirement refuses, and how. */
const refused = ({ bot, guest, moderator, admin }: Fixture) =>
  ({
    human: [bot, 'BAD_REQUEST'],
    member: [guest, 'BAD_REQUEST'],
    administrator: [moderator, 'UNAUTHORIZED_PRINCIPAL'],
    owner: [admin, 'UNAUTHORIZED_PRINCIPAL'],
  }) as const;

/** Walks through the endpoints that have, or have not, the method GET. What GET asks for disturbs nothing, so that one fixture serves all. */
export function testEndpoints(which: 'reads' | 'writes'): void {
  const chosen = all.filter(([, { method }]) => (method === 'GET') === (which === 'reads'));
  let people: Fixture;
  let shared: Fixture | undefined;
  /** An api node whose endpoints require nothing of anyone. */
  let opened: Promise<{ port: number } & AsyncDisposable> | undefined;
  const openApi = () =>
    (opened ??= getWorld().then(({ startApi }) =>
      startApi({ endpoints: endpoints.map((endpoint) => ({ ...endpoint, requires: [] })) }),
    ));

  afterAll(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
  });

  describe.each(chosen)('%s', (name, endpoint) => {
    beforeAll(async () => {
      people = (which === 'reads' ? shared : undefined) ?? (await createFixture());
      shared = people;
      if (/\/(?:delete_topic|report)$/.test(endpoint.path)) await letDeleteAndReport(people);
    });
    const start = () => requests[name]?.(people) ?? {};

    test('needs credentials, or says that it needs none', async () => {
      const reply = await send(people, endpoint, { params: start(), authorization: null });
      checkDocumented(reply);
      if (endpoint.auth === 'none')
        expect(reply.body.code ?? 'AUTHENTICATION_FAILED').toBe('AUTHENTICATION_FAILED');
      else {
        expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHENTICATED_USER']);
        expect(reply.headers['www-authenticate']).toBe('Basic realm="parley"');
      }
    });

    test('looks at credentials before parameters', async () => {
      const params = Object.fromEntries(Object.keys(endpoint.params).map((param) => [param, '{']));
      const reply = await send(people, endpoint, {
        params,
        authorization: basic(callerOf(people, endpoint).email, 'x'.repeat(32)),
      });
      if (endpoint.auth === 'none') expect(reply.body.code).not.toBe('UNAUTHORIZED');
      else expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED']);
    });

    test('is closed to those whom it is not for', async () => {
      for (const requirement of endpoint.requires) {
        const [{ email, apiKey }, code] = refused(people)[requirement];
        const authorization = basic(email, apiKey);
        const reply = await send(people, endpoint, { params: start(), authorization });
        expect([reply.status, reply.body.code], requirement).toEqual([400, code]);
      }
    });

    test('is closed to them also where only the action asks', async () => {
      // What is read through it shows them nothing of anyone's.
      if (endpoint.requires.length === 0 || endpoint.method === 'GET') return;
      for (const requirement of endpoint.requires) {
        const [{ email, apiKey }, code] = refused(people)[requirement];
        const { port } = await openApi();
        const authorization = basic(email, apiKey);
        const reply = await send(people, endpoint, { params: start(), authorization, port });
        expect([reply.status, reply.body.code], requirement).toEqual([400, code]);
      }
    });

    test('refuses each parameter of the wrong type with 400', async () => {
      for (const [param, schema] of Object.entries(endpoint.params)) {
        const wrong = ['{"a":[', '[[[0.5]]]', '\0', '-1e999', '"', 'constructor', '9007199254740993'];
        const refused = wrong.filter((value) => !schema.safeParse(value).success);
        // A parameter that is any text has no wrong type; all others must refuse most of these.
        if (!schema.safeParse('any text, really').success) expect(refused.length, param).toBeGreaterThan(3);
        const replies = await Promise.all(
          refused.map((value) => send(people, endpoint, { params: { ...start(), [param]: value } })),
        );
        for (const [index, reply] of replies.entries()) {
          const what = `${param}=${refused[index]}: ${reply.text}`;
          expect([reply.status, reply.body.code], what).toEqual([400, 'BAD_REQUEST']);
          expect(reply.body.msg, what).toContain(param);
        }
      }
    });

    test('names each required parameter that is missing', async () => {
      for (const [param, schema] of Object.entries(endpoint.params)) {
        if (schema.safeParse(undefined).success || endpoint.path.includes(`:${param}`)) continue;
        const { [param]: _, ...params } = start();
        const { status, body } = await send(people, endpoint, { params });
        expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', param]);
      }
    });

    test('names the parameters that it did not understand', async () => {
      if (neverSucceeds.includes(name) || endpoint.takesBody) return;
      const unknown = { zebra: '1', aardvark: '2', client: 'a test', constructor: 'x' };
      const reply = await send(people, endpoint, { params: { ...start(), ...unknown }, withFile: true });
      expect(reply.status, reply.text).toBe(endpoint.redirects ? 302 : 200);
      expect(reply.body.ignored_parameters_unsupported).toEqual(['aardvark', 'constructor', 'zebra']);
    });

    test('answers anything at all with a documented reply, and writes nothing that it refused', async () => {
      const names = [...Object.keys(endpoint.params), ...Object.keys(endpoint.aliases), 'client', 'unknown'];
      const params = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

      let rows = await countRows();
      let until = await writtenUntil();
      await fc.assert(
        fc.asyncProperty(params, shape, fc.boolean(), async (sent, how, startsValid) => {
          if (endsItsCaller(endpoint)) {
            people = await createFixture();
            rows = await countRows();
          }
          const full = startsValid
            ? { ...start(), ...sent }
            : { ...start(), ...sent, ...pathOf(endpoint, sent) };
          const reply = await send(people, endpoint, { params: full, ...encodingOf(how, full) });
          checkDocumented(reply);
          const untilNow = await writtenUntil();
          if (untilNow === until) return;
          const before = rows;
          [rows, until] = [await countRows(), untilNow];
          if (reply.status >= 400) expect(rows, reply.text).toEqual(before);
        }),
        // A realm for each run is slow.
        { numRuns: endsItsCaller(endpoint) ? numRuns / 5 : numRuns, endOnFailure: true },
      );
    });
  });
}

/** By day fewer requests are made up for an endpoint, each day others. */
const numRuns = isNight ? 200 : 20;

/** Requests that nothing here lets succeed: without a password, and for services that the server has not. */
const neverSucceeds = [
  'POST /fetch_api_key',
  'POST /calls/zoom/create',
  'GET /calls/bigbluebutton/create',
  'GET /messages/summary',
  'POST /mobile_push/test_notification',
  'POST /mobile_push/register',
  'POST /mobile_push/e2ee/test_notification',
];

/** Some requests end the key that they are asked with. */
const endsItsCaller = ({ path, method }: JsonEndpoint) =>
  path === '/realm/deactivate' ||
  path === '/users/me/api_key/regenerate' ||
  (method === 'DELETE' && path === '/users/me');

const pathOf = ({ path }: JsonEndpoint, sent: Record<string, string>) =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => path.includes(`:${name}`)));
