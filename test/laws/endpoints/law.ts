// A walk expects of each endpoint what its own declaration says.
/* oxlint-disable vitest/no-conditional-expect */
import { type Endpoint, endpoints, nameOf } from '@parley/api';
import { type ErrorCode, errorStatus } from '@parley/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Json, basic, getWorld } from '../../support/index.ts';
import { isNight } from '../../support/seed.ts';
import { type Fixture, letDeleteAndReport, createFixture, thingsOf } from '../fixtures/endpoints.ts';
import { requests } from '../resources/index.ts';
import { encodingOf, shape, value } from './fuzz-values.ts';
import { checkDocumented, refusalOf } from './kinds.ts';
import { callerOf, send } from './send.ts';

const all = endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const);

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

/**
 * Walks through the endpoints that have, or have not, the method GET. What GET asks for disturbs nothing, so that one
 * fixture serves all.
 */
export function testEndpoints(which: 'reads' | 'writes'): void {
  const chosen = all.filter(([, { method }]) => (method === 'GET') === (which === 'reads'));
  const walk = new Walk(which === 'reads');

  afterAll(() => walk.end());

  describe.each(chosen)('%s', (_, endpoint) => {
    beforeAll(() => walk.begin(endpoint));

    testCredentials(walk, endpoint);
    testParameters(walk, endpoint);
    testAnything(walk, endpoint);
  });
}

/** Those who walk, and where. */
class Walk {
  private readonly isShared: boolean;
  private fixture: Fixture | undefined;
  /** An api node whose endpoints require nothing of anyone. */
  private opened: Promise<{ port: number } & AsyncDisposable> | undefined;

  constructor(isShared: boolean) {
    this.isShared = isShared;
  }

  get people(): Fixture {
    if (!this.fixture) throw new Error('The walk has not begun.');
    return this.fixture;
  }

  async begin(endpoint: Endpoint): Promise<void> {
    if (!this.isShared || !this.fixture) await this.renew(endpoint);
    if (/\/(?:delete_topic|report)$/.test(endpoint.path)) await letDeleteAndReport(this.people);
  }

  /** By day, what is made for one endpoint alone has the things that it is asked with, and no others. */
  async renew(endpoint: Endpoint): Promise<void> {
    const things = thingsOf(requests[nameOf(endpoint)]);
    if (endpoint.auth === 'session') things.add('session');
    this.fixture = await createFixture(this.isShared || isNight ? undefined : things);
  }

  /** A request that succeeds. */
  startOf(endpoint: Endpoint): Record<string, string> {
    return requests[nameOf(endpoint)]?.(this.people) ?? {};
  }

  openApi(): Promise<{ port: number }> {
    this.opened ??= getWorld().then(({ startApi }) =>
      startApi({ endpoints: endpoints.map((endpoint) => ({ ...endpoint, requires: [] })) }),
    );
    return this.opened;
  }

  async end(): Promise<void> {
    await (await this.opened)?.[Symbol.asyncDispose]();
  }
}

function testCredentials(walk: Walk, endpoint: Endpoint): void {
  test('needs credentials, or says that it needs none', async () => {
    const reply = await send(walk.people, endpoint, { params: walk.startOf(endpoint), authorization: null });
    checkDocumented(endpoint, reply);
    if (endpoint.auth === 'none' || endpoint.auth === 'optional') {
      // Pages look at sessions themselves, where they need one.
      if (!endpoint.errors.includes('UNAUTHENTICATED_USER')) {
        expect(reply.body?.code).not.toBe('UNAUTHENTICATED_USER');
      }
    } else {
      const scheme = endpoint.auth === 'session' ? 'Session' : 'Basic';
      expect([reply.status, refusalOf(reply)]).toEqual([401, codeOf(endpoint, 'UNAUTHENTICATED_USER')]);
      expect(reply.headers['www-authenticate']).toBe(`${scheme} realm="parley"`);
    }
  });

  test('looks at credentials before parameters', async () => {
    const params = Object.fromEntries(Object.keys(endpoint.params).map((param) => [param, '{']));
    const reply = await send(walk.people, endpoint, {
      params,
      authorization: basic(callerOf(walk.people, endpoint).email, 'x'.repeat(32)),
    });
    if (endpoint.auth === 'none') expect(['UNAUTHORIZED', '401']).not.toContain(refusalOf(reply));
    else
      expect([reply.status, refusalOf(reply)]).toEqual([401, codeOf(endpoint, wrongCredentials(endpoint))]);
  });

  test('is closed to those whom it is not for', async () => {
    for (const requirement of endpoint.requires) {
      const [{ email, apiKey }, code] = refused(walk.people)[requirement];
      const authorization = basic(email, apiKey);
      const reply = await send(walk.people, endpoint, { params: walk.startOf(endpoint), authorization });
      expect([reply.status, refusalOf(reply)], requirement).toEqual([400, codeOf(endpoint, code)]);
    }
  });

  test('is closed to them also where only the action asks', async () => {
    // What is read through it shows them nothing of anyone's.
    if (endpoint.requires.length === 0 || endpoint.method === 'GET') return;
    for (const requirement of endpoint.requires) {
      const [{ email, apiKey }, code] = refused(walk.people)[requirement];
      const { port } = await walk.openApi();
      const authorization = basic(email, apiKey);
      const reply = await send(walk.people, endpoint, {
        params: walk.startOf(endpoint),
        authorization,
        port,
      });
      expect([reply.status, refusalOf(reply)], requirement).toEqual([400, codeOf(endpoint, code)]);
    }
  });
}

function testParameters(walk: Walk, endpoint: Endpoint): void {
  test('refuses each parameter of the wrong type with 400', async () => {
    for (const [param, schema] of Object.entries(endpoint.params)) {
      const wrong = ['{"a":[', '[[[0.5]]]', '\0', '-1e999', '"', 'constructor', '9007199254740993'];
      const refused = wrong.filter((value) => !schema.safeParse(value).success);
      // A parameter that is any text has no wrong type; all others must refuse most of these.
      if (!schema.safeParse('any text, really').success) expect(refused.length, param).toBeGreaterThan(3);
      const replies = await Promise.all(
        refused.map((value) =>
          send(walk.people, endpoint, { params: { ...walk.startOf(endpoint), [param]: value } }),
        ),
      );
      for (const [index, reply] of replies.entries()) {
        const what = `${param}=${refused[index]}: ${reply.text}`;
        expect([reply.status, refusalOf(reply)], what).toEqual([400, codeOf(endpoint, 'BAD_REQUEST')]);
        expect(reply.text, what).toContain(param);
      }
    }
  });

  test('names each required parameter that is missing', async () => {
    for (const [param, schema] of Object.entries(endpoint.params)) {
      if (schema.safeParse(undefined).success || endpoint.path.includes(`:${param}`)) continue;
      const { [param]: _, ...params } = walk.startOf(endpoint);
      const { status, body } = await send(walk.people, endpoint, { params });
      expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', param]);
    }
  });

  test('succeeds with parameters that it does not understand, and names them in JSON', async () => {
    if (neverSucceeds.includes(nameOf(endpoint))) return;
    const unknown = { zebra: '1', aardvark: '2', client: 'a test', constructor: 'x' };
    const reply = await send(walk.people, endpoint, {
      params: { ...walk.startOf(endpoint), ...unknown },
      withFile: true,
    });
    checkDocumented(endpoint, reply);
    expect(reply.status, reply.text).toBeLessThan(400);
    // Other products call these, and read no such list.
    if (endpoint.kind !== 'json' || endpoint.auth === 'key') return;
    expect(reply.status, reply.text).toBe(endpoint.redirects ? 302 : 200);
    expect(reply.body.ignored_parameters_unsupported).toEqual(['aardvark', 'constructor', 'zebra']);
  });

  test('says to people on a page what it refuses', async () => {
    if (endpoint.kind !== 'page') return;
    const reply = await send(walk.people, endpoint, {
      params: { ...walk.startOf(endpoint), key: 'nothing', username: '', password: '' },
      accept: 'text/html',
    });
    checkDocumented(endpoint, reply);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  });
}

function testAnything(walk: Walk, endpoint: Endpoint): void {
  test('answers anything at all with a documented reply, and writes nothing that it refused', async () => {
    const names = [...Object.keys(endpoint.params), ...Object.keys(endpoint.aliases), 'client', 'unknown'];
    const params = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

    let rows = await countRows();
    let until = await writtenUntil();
    await fc.assert(
      fc.asyncProperty(params, shape, fc.boolean(), async (sent, how, startsValid) => {
        if (endsItsCaller(endpoint)) {
          await walk.renew(endpoint);
          rows = await countRows();
        }
        const full = startsValid
          ? { ...walk.startOf(endpoint), ...sent }
          : { ...walk.startOf(endpoint), ...sent, ...pathOf(endpoint, sent) };
        const reply = await send(walk.people, endpoint, { params: full, ...encodingOf(how, full) });
        if (isElsewhere(endpoint, full)) expect(reply.status, reply.text).toBe(404);
        else checkDocumented(endpoint, reply);
        const untilNow = await writtenUntil();
        if (untilNow === until) return;
        const before = rows;
        [rows, until] = [await countRows(), untilNow];
        if (reply.status >= 400) expect(rows, reply.text).toEqual(before);
      }),
      // A realm for each run is slow.
      { numRuns: endsItsCaller(endpoint) ? Math.ceil(numRuns / 5) : numRuns, endOnFailure: true },
    );
  });
}

/** By day fewer requests are made up for an endpoint, each day others. */
const numRuns = isNight ? 200 : 2;

/**
 * Requests that nothing here lets succeed: without a password or a signature that lasts, for services that the server has
 * not, for files that nobody made, and with a link that serves once.
 */
const neverSucceeds = [
  'POST /fetch_api_key',
  'POST /calls/zoom/create',
  'GET /calls/bigbluebutton/create',
  'GET /messages/summary',
  'POST /mobile_push/test_notification',
  'POST /mobile_push/register',
  'POST /mobile_push/e2ee/test_notification',
  'POST /json/fetch_api_key',
  'POST /login',
  'POST /logout',
  'GET /accounts/login/oidc',
  'GET /accounts/login/oidc/callback',
  'GET /',
  'POST /accounts/confirm_new_email/:key',
  'POST /accounts/password/reset/:key',
  'GET /static/web/:file',
  'GET /user_uploads/temporary/:signature/:realm/:random/:name',
  'GET /user_uploads/thumbnail/:realm/:random/:name/:format',
  'GET /exports/:realm/:random/:file',
  'GET /user_avatars/:realm/:file',
  'GET /user_avatars/:realm/realm/:file',
  'GET /user_avatars/:realm/emoji/images/still/:file',
  'GET /user_avatars/:realm/emoji/images/:file',
  'HEAD /tus/:id',
  'PATCH /tus/:id',
  'DELETE /tus/:id',
  'HEAD /realm/import_archives/:id',
  'PATCH /realm/import_archives/:id',
  'DELETE /realm/import_archives/:id',
];

/** What is said of a refusal with a code: no text and no header has room for it. */
const codeOf = ({ kind, method }: Endpoint, code: ErrorCode): string =>
  kind === 'bytes' || method === 'HEAD' ? String(errorStatus[code]) : code;

/** What wrong credentials are answered; a session that is nobody's is none. */
const wrongCredentials = ({ auth }: Endpoint) =>
  auth === 'session' ? 'UNAUTHENTICATED_USER' : 'UNAUTHORIZED';

/** Some requests end the key that they are asked with. */
const endsItsCaller = ({ path, method }: Endpoint) =>
  path === '/realm/deactivate' ||
  path === '/users/me/api_key/regenerate' ||
  (method === 'DELETE' && path === '/users/me');

const pathOf = ({ path }: Endpoint, sent: Record<string, string>) =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => path.includes(`:${name}`)));

/** Whether a parameter of the path is empty, which makes it the address of nothing. */
const isElsewhere = ({ path }: Endpoint, params: Record<string, string>) =>
  [...path.matchAll(/:(\w+)/g)].some(([, name = '']) => (params[name] ?? '') === '');
