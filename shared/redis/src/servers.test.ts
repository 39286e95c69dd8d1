import { describe, expect, test } from 'vitest';

import { parseRedisUrl } from './servers.ts';

describe('parseRedisUrl', () => {
  test.each([
    ['redis://localhost', { kind: 'alone', hosts: [{ host: 'localhost', port: 6379 }], db: 0 }],
    ['redis://127.0.0.1:7000/8', { kind: 'alone', hosts: [{ host: '127.0.0.1', port: 7000 }], db: 8 }],
    [
      'rediss://:p%40ss@[::1]:7000',
      { kind: 'alone', hosts: [{ host: '::1', port: 7000 }], db: 0, password: 'p@ss', tls: {} },
    ],
    [
      'redis+sentinel://me:secret@a,b:27000/main/2?sentinel_password=other',
      {
        kind: 'sentinel',
        hosts: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 27_000 },
        ],
        master: 'main',
        db: 2,
        username: 'me',
        password: 'secret',
        sentinelPassword: 'other',
      },
    ],
    [
      'rediss+cluster://a:7001,b:7002',
      {
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 7001 },
          { host: 'b', port: 7002 },
        ],
        db: 0,
        tls: {},
      },
    ],
  ])('%s', (url, servers) => {
    expect(parseRedisUrl(url)).toEqual(servers);
  });

  test.each([
    'http://localhost',
    'redis://a,b',
    'redis+sentinel://a',
    'redis+cluster://a/1',
    'redis://localhost/x',
    'redis://',
    'redis://:hunter2@:6379',
  ])('refuses %s, and does not repeat it', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });
});
