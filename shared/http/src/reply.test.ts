import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import {
  headerBytesMax,
  jsonHeaders,
  methodNotAllowed,
  refuseConnection,
  strictTransportSecurity,
} from './reply.ts';

const errorOf = (code?: string) => Object.assign(new Error('refused'), code && { code });

test.each([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_INVALID_METHOD', '400 Bad Request'],
  [undefined, '400 Bad Request'],
])('a request with %s is answered by %s, and its connection is closed', async (code, status) => {
  const socket = new PassThrough();
  refuseConnection(errorOf(code), socket);
  const body = `{"result":"error","msg":"The server could not read this request: ${status}","code":"BAD_REQUEST"}`;
  expect(await text(socket)).toBe(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
});

test('a connection that is gone is answered by nothing', () => {
  const reset = new PassThrough();
  refuseConnection(errorOf('ECONNRESET'), reset);
  expect([reset.destroyed, reset.read()]).toEqual([true, null]);

  const ended = new PassThrough();
  ended.end();
  refuseConnection(errorOf('HPE_INVALID_METHOD'), ended);
  expect([ended.destroyed, ended.read()]).toEqual([true, null]);
});

test('replies are JSON that nobody keeps, sniffs or shares', () => {
  const pairs = jsonHeaders.flatMap((name, index) => (index % 2 ? [] : [[name, jsonHeaders[index + 1]]]));
  expect(pairs).toEqual([
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'private, no-store, max-age=0'],
    ['Vary', 'Accept-Language, Authorization'],
    ['X-Content-Type-Options', 'nosniff'],
  ]);
  expect(strictTransportSecurity).toEqual({
    name: 'Strict-Transport-Security',
    value: 'max-age=31536000; includeSubDomains',
  });
  expect(headerBytesMax).toBe(131_072);
});

test('a refused method says which are allowed', () => {
  expect(methodNotAllowed(['GET'])).toEqual({
    result: 'error',
    msg: 'This address does not accept this method.',
    code: 'BAD_REQUEST',
    allowed_methods: ['GET'],
  });
});
