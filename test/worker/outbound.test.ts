import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { type OutboundOptions, Unreachable } from '@parley/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Outside, type Page, pageOf, startOutside } from '../support/index.ts';

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside[Symbol.asyncDispose]());

const hasty = { connectMs: 500, headMs: 250, wholeMs: 700 };

/** What a client gets of an address: its text, or why not. */
async function get(url: string, differing?: Partial<OutboundOptions>, bytesMax = 1000): Promise<string> {
  const client = differing ? outside.connect(differing) : outside.outbound;
  try {
    const { status, bytes, isWhole } = await client.request({ url, bytesMax });
    return `${status} ${bytes.toString()}${isWhole ? '' : '…'}`;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const cause = error.cause instanceof Error ? error.cause : error;
    return cause.message;
  }
}

const at = (path: string, page: Page) => outside.serve(path, page);
const redirectTo =
  (location: string, status = 302): Page =>
  (_, response) =>
    response.writeHead(status, { Location: location }).end();

describe('a stranger', () => {
  test('is told who asks, and nothing else', async () => {
    let headers: object = {};
    const url = at('/who', (request, response) => {
      headers = request.headers;
      response.writeHead(200, { 'Set-Cookie': 'id=1' }).end('hello');
    });
    expect(await get(url.replace('http://', 'http://me:secret@'))).toBe('200 hello');
    expect(await get(url)).toBe('200 hello');
    expect(headers).toEqual({
      host: expect.stringContaining('pages.example'),
      connection: 'keep-alive',
      'user-agent': 'Parley (+http://localhost:9991)',
      'accept-encoding': 'gzip, br',
    });
  });

  test('may be told something', async () => {
    const url = at('/hook', (request, response) => {
      request.setEncoding('utf8');
      request.on('data', (body: string) => response.writeHead(200).end(`${request.method} ${body}`));
    });
    const { bytes } = await outside.outbound.request({ url, method: 'POST', body: '{"a":1}', bytesMax: 100 });
    expect(bytes.toString()).toBe('POST {"a":1}');
  });

  test.each([
    ['gzip', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
    ['deflate', deflateSync('packed')],
    ['identity', Buffer.from('packed')],
  ])('may pack what it says as %s', async (encoding, bytes) => {
    const url = at(`/${encoding}`, pageOf(bytes, { 'Content-Encoding': encoding }));
    expect(await get(url)).toBe('200 packed');
  });

  test.each([
    ['as nobody does', 'zip', Buffer.from('x')],
    ['twice', 'gzip, gzip', gzipSync(gzipSync('x'))],
    ['not as it says', 'gzip', Buffer.from('x')],
    ['without an end', 'gzip', gzipSync('packed').subarray(0, 12)],
  ])('an answer that is packed %s is not read', async (_, encoding, bytes) => {
    const url = at('/packed', pageOf(bytes, { 'Content-Encoding': encoding }));
    expect(await get(url)).not.toMatch(/^200/);
  });

  test('an answer that is longer than wanted is not read to the end', async () => {
    let said = 0;
    const url = at('/endless', (_, response) => {
      const more = (): void => {
        said += 65_536;
        if (!response.destroyed) response.write('x'.repeat(65_536), more);
      };
      more();
    });
    expect(await get(url)).toBe(`200 ${'x'.repeat(1000)}…`);
    expect(said).toBeLessThan(50_000_000);
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
  ])('a bomb that is packed as %s is not unpacked', async (encoding, bomb) => {
    const url = at(`/bomb-${encoding}`, pageOf(bomb, { 'Content-Encoding': encoding }));
    const before = process.memoryUsage().arrayBuffers;
    expect(await get(url)).toBe(`200 ${'\0'.repeat(1000)}…`);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });

  test('is not asked for what is not wanted', async () => {
    const url = at('/video', pageOf('x'.repeat(1_000_000), { 'Content-Type': 'video/mp4' }));
    const answer = await outside.outbound.request({
      url,
      bytesMax: 100,
      acceptsBody: ({ status, header }) => status === 200 && header('content-type').startsWith('text/'),
    });
    expect(answer.bytes).toHaveLength(0);
    expect(answer.header('content-type')).toBe('video/mp4');
  });

  test.each([
    ['says nothing', () => undefined],
    ['does not end its head', (_, response) => response.socket?.write('HTTP/1.1 200 OK\r\nX: y\r\n')],
    ['stops half-way', (_, response) => response.writeHead(200).write('half')],
    [
      'says a letter at a time',
      (_, response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
    ['hangs up', (request) => request.socket.destroy()],
    ['hangs up half-way', (_, response) => response.writeHead(200).write('x', () => response.destroy())],
    ['speaks no HTTP', (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    [
      'has too much to say about itself',
      (_, response) => response.writeHead(200, { X: 'x'.repeat(20_000) }).end(),
    ],
  ] satisfies [string, Page][])('a stranger that %s is aborted', async (_, page) => {
    expect(await get(at('/slow', page), { timeouts: hasty })).not.toMatch(/^200/);
  });
});

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    'a redirect of status %i is followed, wherever it is written from',
    async (status) => {
      at('/a/from', redirectTo('../to?x=1#y', status));
      at('/to', (request, response) => response.end(request.url));
      expect(await get(outside.urlOf('/a/from'))).toBe('200 /to?x=1');
    },
  );

  test('is followed five times, and in a circle no further', async () => {
    for (let step = 0; step < 6; step += 1) at(`/step${step}`, redirectTo(`/step${step + 1}`));
    at('/step6', pageOf('there'));
    expect(await get(outside.urlOf('/step1'))).toBe('200 there');
    expect(await get(outside.urlOf('/step0'))).toMatch(/redirects more than 5 times/);
    const before = outside.asked.length;
    expect(await get(at('/round', redirectTo('/round')))).toMatch(/redirects more than 5 times/);
    expect(outside.asked.length - before).toBe(6);
  });

  test('a redirect without a place, or of another kind, is an answer like others', async () => {
    expect(await get(at('/nowhere', (_, response) => response.writeHead(302).end('x')))).toBe('302 x');
    expect(await get(at('/unchanged', redirectTo('/to', 304)))).toBe('304 ');
  });

  test('is not followed with what was to be told', async () => {
    const url = at('/moved', redirectTo('/to', 307));
    const { status } = await outside.outbound.request({ url, method: 'POST', body: 'secret', bytesMax: 100 });
    expect(status).toBe(307);
  });

  test.each([
    ['to a network of ours', 'http://127.0.0.2:PORT/to', /not on the public Internet/],
    ['to metadata', 'http://169.254.169.254/latest/meta-data/', /not on the public Internet/],
    ['to a name of a host of ours', 'http://inside.example:PORT/to', /not on the public Internet/],
    ['to a file', 'file:///etc/passwd', /not HTTP/],
    ['to another protocol', 'gopher://pages.example/x', /not HTTP/],
    ['to another port', 'http://pages.example:6667/', /not for HTTP/],
    ['to nothing', 'http://', /not an address/],
  ])('%s is refused', async (_, location, why) => {
    const port = new URL(outside.urlOf('/')).port;
    at('/to', pageOf('secret'));
    const url = at('/away', redirectTo(location.replace('PORT', port)));
    const resolve = (name: string) =>
      Promise.resolve([{ address: name === 'inside.example' ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
    expect(await get(url, { resolve })).toMatch(why);
  });
});

describe('an address that is not on the public Internet is refused before anything is sent, written', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '%6c%6fcalhost',
    'localhost',
    'LOCALHOST',
    '１２７.0.0.1',
  ];
  test.each(hosts)('%s', async (host) => {
    at('/secret', pageOf('secret'));
    const before = outside.asked.length;
    const { port } = new URL(outside.urlOf('/'));
    const client = { resolve: undefined, mayConnect: undefined };
    // As it is outside of tests: names are looked up, and no address is excepted.
    expect(await get(`http://${host}:${port}/secret`, client)).toMatch(/not on the public Internet/);
    expect(outside.asked.length).toBe(before);
  });
});

describe('a name', () => {
  const resolvingTo = (...addresses: string[]) => ({
    resolve: () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
  });

  test('a name with one address among others that is not public is refused', async () => {
    at('/one', pageOf('one'));
    expect(await get(outside.urlOf('/one'), resolvingTo('127.0.0.1'))).toBe('200 one');
    for (const other of ['10.0.0.1', '::1', '127.0.0.2']) {
      expect(await get(outside.urlOf('/one'), resolvingTo('127.0.0.1', other))).toMatch(/not on the public/);
      expect(await get(outside.urlOf('/one'), resolvingTo(other, '127.0.0.1'))).toMatch(/not on the public/);
    }
  });

  test('a name of nobody, or that cannot be looked up, is not reached', async () => {
    expect(await get(outside.urlOf('/one'), resolvingTo())).toMatch(/not on the public/);
    const resolve = () => Promise.reject(new Error('SERVFAIL'));
    expect(await get(outside.urlOf('/one'), { resolve })).toBe('SERVFAIL');
  });

  test('a name that means another address from one moment to the next is checked for each connection', async () => {
    let looked = 0;
    const resolve = () => {
      looked += 1;
      return Promise.resolve([{ address: looked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    at('/to', pageOf('secret'));
    const url = at('/rebound', (_, response) =>
      response.writeHead(302, { Location: '/to', Connection: 'close' }).end(),
    );
    expect(await get(url, { resolve })).toMatch(/not on the public/);
    // The address that was checked is the one that is connected to: it is not looked up in between.
    expect(looked).toBe(2);
  });
});

test.each(['', 'pages.example', 'ftp://pages.example/', 'javascript:alert(1)', 'http://pages.example:22/'])(
  '%j is not asked for',
  async (url) => {
    expect(await get(url)).not.toMatch(/^\d/);
  },
);
