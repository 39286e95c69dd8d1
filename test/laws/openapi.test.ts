import { type Endpoint, createDocument, endpoints, errorsOf, nameOf } from '@parley/api';
import { errorStatus, eventFamilies, sentEvents, versionFields } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { checkDocument } from '../openapi/check-document.ts';
import { createMatcher } from '../openapi/check-replies.ts';

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  'x-feature-level'?: number;
  parameters?: { name: string; in: string; schema?: object; content?: Record<string, { schema: object }> }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, object> } }> };
  responses: Record<string, { description: string }>;
}

const document = (await createDocument(endpoints)) as {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { oneOf?: object[]; discriminator?: { mapping: object } }> };
};

const operationAt = (method: string, path: string) =>
  document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);

test('the document is valid', async () => {
  expect(await checkDocument(document)).toEqual([]);
});

/** What the document is about: what programs ask below /api/v1. Pages, files and sessions are for browsers. */
const isDescribed = (endpoint: Endpoint) =>
  endpoint.kind === 'tus' || (endpoint.kind === 'json' && endpoint.auth !== 'session');
const described = endpoints.filter(isDescribed);

describe.each(described.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
  '$name',
  ({ endpoint }) => {
    const operation = operationAt(endpoint.method, endpoint.path);

    test('is in the document, with its level and its errors', () => {
      expect(operation?.summary).toBe(endpoint.summary);
      expect(operation?.['x-feature-level'] ?? null).toBe(endpoint.since);
      const told = Object.values(operation?.responses ?? {}).map(({ description }) => description);
      // Queue nodes answer polls, and what HEAD asks for has no body that could hold a code.
      const ofPolls = endpoint.path === '/events' ? ['BAD_EVENT_QUEUE_ID'] : errorsOf(endpoint);
      const codes = endpoint.method === 'HEAD' ? [] : ofPolls;
      expect(codes.filter((code) => !told.some((text) => text.includes(`\`${code}\``)))).toEqual([]);
    });

    test('has its parameters, and says what each of them is', () => {
      const listed = [
        ...(operation?.parameters ?? [])
          .filter(({ in: place }) => place !== 'header')
          .map(({ name, schema, content }) => {
            return [name, schema ?? content?.['application/json']?.schema ?? {}] as const;
          }),
        ...Object.values(operation?.requestBody?.content ?? {}).flatMap(({ schema }) =>
          Object.entries(schema.properties ?? {}),
        ),
      ].filter(([name]) => name !== 'filename' || 'filename' in endpoint.params);
      expect(listed.map(([name]) => name).sort()).toEqual(Object.keys(endpoint.params).sort());
      expect(listed.filter(([, schema]) => Object.keys(schema).length === 0)).toEqual([]);
    });
  },
);

test('pages, files and what is for browsers alone are not there; the end of a queue is, which queue nodes serve', () => {
  const others = operations.filter(
    ({ name }) =>
      !described.some(
        ({ method, path }) => name === `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      ),
  );
  expect(others.map(({ name }) => name)).toEqual(['delete /events']);
  expect(operations).toHaveLength(described.length + 1);
  expect(endpoints.filter((endpoint) => !isDescribed(endpoint)).length).toBeGreaterThan(30);
});

test('every operation has a name of its own', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

test('events are told apart by their type', () => {
  const { Event } = document.components.schemas;
  const types = Object.keys(Event?.discriminator?.mapping ?? {});
  expect(Event?.oneOf).toHaveLength(types.length);
  const silent = [...eventFamilies.values()].filter(({ sent }) => sent.length === 0).map(({ type }) => type);
  expect(silent.sort()).toEqual(['key_regenerated', 'realm_renamed', 'room']);
  const sent = [...eventFamilies.values()].flatMap(({ type, also = [] }) => [type, ...also]);
  expect(types.sort()).toEqual(
    [...new Set([...sent, 'heartbeat'])].filter((type) => !silent.includes(type)).sort(),
  );
  expect(sentEvents.length).toBeGreaterThanOrEqual(types.length);
});

test('every code has a schema, and every level that changed anything is named', () => {
  const { schemas } = document.components;
  expect(Object.keys(errorStatus).filter((code) => !(`Error_${code}` in schemas))).toEqual([]);
  expect(document.info.description).toContain(`Feature level ${versionFields.svc_feature_level}.`);
});

describe('a reply that is not as the document says is found', () => {
  const matches = createMatcher(document);
  const ok = { result: 'success', msg: '' };
  const send = { method: 'POST', path: '/messages', status: 200 };
  const missing = { result: 'error', msg: 'x', code: 'REQUEST_VARIABLE_MISSING' };

  test('a successful reply that differs from the document is found', () => {
    expect(matches({ ...send, body: { ...ok, id: 1 } })).toBe('');
    expect(matches({ ...send, body: { ...ok, id: '1' } })).toContain('/id must be integer');
    expect(matches({ ...send, body: { ...ok, id: 1, more: 1 } })).toContain('additional');
    expect(matches({ ...send, status: 201, body: ok })).toContain('not in the document');
  });

  test('an error that differs from the document is found', () => {
    expect(matches({ ...send, status: 400, body: { ...missing, var_name: 'to' } })).toBe('');
    expect(matches({ ...send, status: 400, body: missing })).not.toBe('');
    expect(matches({ ...send, status: 400, body: { ...missing, code: 'NO_SUCH_CODE' } })).not.toBe('');
  });

  test('events that differ from the document are found', () => {
    const poll = (event: object) =>
      matches({
        method: 'GET',
        path: '/events',
        status: 200,
        body: { ...ok, queue_id: 'q', events: [event] },
      });
    expect(poll({ id: 1, type: 'heartbeat' })).toBe('');
    expect(poll({ id: 1, type: 'heartbeat', more: 1 })).not.toBe('');
    expect(poll({ id: 1, type: 'nothing' })).not.toBe('');
  });

  test('a reply to what is no operation is not found', () => {
    expect(matches({ method: 'GET', path: '/nowhere', status: 404, body: {} })).toBeUndefined();
  });
});
