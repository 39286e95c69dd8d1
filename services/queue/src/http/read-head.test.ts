import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readByNode } from './read-head.test-support.ts';
import { readHead } from './read-head.ts';
import { RequestHead } from './request-head.ts';

const endOf = (text: string) => readHead(text, new RequestHead());

const authorization = `Basic ${Buffer.from('a@b:key').toString('base64')}`;
const lines = ['Host: chat.example', `Authorization: ${authorization}`, 'User-Agent: x/1 (a; b)'];
const target = '/api/v1/events?queue_id=a-b&last_event_id=-1';
const request = (...more: string[]) =>
  `${[`GET ${target} HTTP/1.1`, ...lines, ...more].join('\r\n')}\r\n\r\n`;
const plain = request();

test('the parser of heads reads a plain poll', () => {
  const head = new RequestHead();
  readHead(
    request('Cookie: a=b', 'X-Forwarded-For:\t192.0.2.1 ', 'x-request-id:7', 'Connection: Keep-Alive'),
    head,
  );
  expect(head).toMatchObject({
    method: 'GET',
    url: target,
    host: 'chat.example',
    authorization,
    cookie: 'a=b',
    forwardedFor: '192.0.2.1',
    sentRequestId: '7',
  });
});

test('the parser of heads says where the next request begins', () => {
  expect(endOf(plain + plain)).toBe(plain.length);
});

test('the parser of heads leaves a head to others until all of it is there', () => {
  for (let length = 0; length < plain.length; length += 1) expect(endOf(plain.slice(0, length))).toBeNull();
});

const withLine = (line: string) => [line, request(line)] as const;

/** By which one parser has been made to see another request than the next one. */
const smuggled: readonly (readonly [string, string])[] = [
  ...[
    'Content-Length: 0',
    'Content-Length: 5',
    'content-length: 5\r\nContent-Length: 6',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'Content-Length : 5',
    'Content-Length\t: 5',
    'Content-Length\0: 5',
    'Content-\u000bLength: 5',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding:\tchunked',
    'Transfer-Encoding : chunked',
    'tRANSFER-eNCODING: chunked, identity',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'X: y\r\n Transfer-Encoding: chunked',
    'X: y\r\n\tfolded',
    'X: y\nTransfer-Encoding: chunked',
    'X: y\rTransfer-Encoding: chunked',
    'X: y\0Transfer-Encoding: chunked',
    'X: y\r\r\nTransfer-Encoding: chunked',
    'X: \u0080',
    'X: \u007f',
    'Ünfug: y',
    ': no name',
    'no colon',
    ' : a blank',
    'X Y: z',
    'Connection: close',
    'Connection: keep-alive, close',
    'Connection: Content-Length',
    'Connection: upgrade\r\nUpgrade: websocket',
    'Upgrade: h2c',
    'Keep-Alive: timeout=1',
    'Proxy-Connection: close',
    'Expect: 100-continue',
    'TE: trailers',
    'Trailer: X',
    'Host: other.example',
    'host: chat.example',
    `Authorization: ${authorization}`,
  ].map(withLine),
  ...([
    ['a line that ends with LF alone', plain.replace('\r\n', '\n')],
    ['lines that end with LF alone', plain.replaceAll('\r\n', '\n')],
    ['an empty line before', `\r\n${plain}`],
    ['a blank before', ` ${plain}`],
    ['a byte order mark', `\u00ef\u00bb\u00bf${plain}`],
    ['another method', plain.replace('GET', 'DELETE')],
    ['a method in small letters', plain.replace('GET', 'get')],
    ['no method', plain.replace('GET ', '')],
    ['HTTP/1.0', plain.replace('HTTP/1.1', 'HTTP/1.0')],
    ['HTTP/2.0', plain.replace('HTTP/1.1', 'HTTP/2.0')],
    ['HTTP/1.10', plain.replace('HTTP/1.1', 'HTTP/1.10')],
    ['no version', plain.replace(' HTTP/1.1', '')],
    ['two blanks', plain.replace('GET ', 'GET  ')],
    ['a tab', plain.replace('GET ', 'GET\t')],
    ['a blank behind', plain.replace('HTTP/1.1', 'HTTP/1.1 ')],
    ['a blank in the address', plain.replace('queue_id', 'queue id')],
    ['a whole address', plain.replace(target, `http://chat.example${target}`)],
    [
      'another host in the address',
      plain.replace(target, `//other.example${target}`).replace('GET //', 'GET http://'),
    ],
    ['an asterisk', plain.replace(target, '*')],
    ['a fragment', plain.replace(target, `${target}#x`)],
    ['a backslash', plain.replace(target, '\\api')],
    ['bytes beyond ASCII', plain.replace(target, '/\u00e9')],
    ['NUL', plain.replace(target, '/\0')],
    ['many headers', request(...Array.from({ length: 200 }, (_, number) => `X-${number}: y`))],
    ['long headers', request(`X: ${'y'.repeat(20_000)}`)],
  ] as const),
];

test.each(smuggled)('the parser of heads leaves to others: %s', (_, text) => {
  expect(endOf(text)).toBeNull();
});

const nasty = fc.constantFrom(
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\t',
  ' ',
  ':',
  ',',
  ';',
  '\u0080',
  '\u00ff',
  '\u000b',
  '%',
  '#',
  '\\',
  '"',
  '0',
  'a',
  'Content-Length: 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Connection: close\r\n',
  'Host: x\r\n',
  'GET / HTTP/1.1\r\n',
);
const name = fc.constantFrom(
  'host',
  'Host',
  'Authorization',
  'cookie',
  'X-Forwarded-For',
  'X-Request-Id',
  'connection',
  'Keep-Alive',
  'TE',
  'content-length',
  'transfer-encoding',
  'Expect',
  'upgrade',
  'Trailer',
  'proxy-connection',
  'Accept',
  'X_y',
  'a',
);
const value = fc.oneof(
  fc.constantFrom('', ' ', 'keep-alive', 'close', 'chunked', '0', '3', '100-continue', 'a, b', 'trailers'),
  fc.string({ maxLength: 8 }),
);
const header = fc
  .tuple(name, fc.constantFrom(':', ': ', ':\t', ' :', ':  '), value)
  .map((parts) => parts.join(''));
const edit = fc.tuple(fc.nat(400), fc.nat(3), nasty);
const anyHead = fc
  .tuple(
    fc.constantFrom('/', target, '/a?b=%7B%22', '/a?b={"c":[1]}', '//a', '/\u00e9', '/ a', '*'),
    fc.array(header, { maxLength: 5 }),
    fc.array(edit, { maxLength: 2 }),
  )
  .map(([url, headers, edits]) => {
    let text = [`GET ${url} HTTP/1.1`, ...headers, '', ''].join('\r\n');
    for (const [at, length, by] of edits) text = text.slice(0, at) + by + text.slice(at + length);
    return text;
  });

const next = 'GET /next HTTP/1.1\r\nHost: x\r\n\r\n';

test('node:http reads whatever this parser accepts, alike', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(anyHead, async (text) => {
      const head = new RequestHead();
      const end = readHead(text, head);
      if (end === null) return;
      accepted += 1;
      const { requests, isRefused } = await readByNode(text.slice(0, end) + next);
      expect(isRefused).toBe(false);
      expect(requests).toHaveLength(2);
      expect(requests[0]).toMatchObject({ method: 'GET', url: head.url, keepsAlive: true, body: '' });
      const headers = requests[0]?.headers ?? {};
      expect(headers.host).toBe(head.host);
      expect(headers.authorization).toBe(head.authorization);
      expect(headers.cookie).toBe(head.cookie);
      expect(headers['x-forwarded-for']).toBe(head.forwardedFor);
      expect(headers['x-request-id']).toBe(head.sentRequestId);
      expect(requests[1]).toMatchObject({ url: '/next' });
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 2000) },
  );
  expect(accepted).toBeGreaterThan(100);
});
