import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connectSql, migrate } from '@parley/db';
import { freePort, startPostgres, startRedis } from '@parley/infra';
import { createLogger } from '@parley/kit';
import { connectRedis, redisReady } from '@parley/redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { openRedis } from '../support/index.ts';

/** Certificates are made by the program of that name; where there is none, nothing is said about TLS. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const quiet = () => undefined;

/** A certificate for `localhost`, signed by an authority of the test's own. */
async function makeCertificates(dir: string) {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=authority',
    '-days',
    '2',
  );
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server');
  await writeFile(join(dir, 'names'), 'subjectAltName=DNS:localhost\n');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.pem');
  return { ca: join(dir, 'ca.pem'), cert: join(dir, 'server.pem'), key: join(dir, 'server.key') };
}

describe.skipIf(!hasOpenssl)('connections by TLS', () => {
  let dir: string;
  let files: Awaited<ReturnType<typeof makeCertificates>>;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
    await chmod(dir, 0o755);
    files = await makeCertificates(dir);
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  test('Postgres is trusted as sslmode says', async () => {
    await using postgres = await startPostgres({ dir, durable: false, say: quiet });
    const plain = connectSql({ url: postgres.url, name: 'test', max: 1 });
    const [row] = await plain<{ owner: string }[]>`select current_setting('data_directory') as owner`;
    const { uid, gid } = await stat(row?.owner ?? '');
    await chown(files.key, uid, gid);
    for (const [name, value] of [
      ['ssl_cert_file', files.cert],
      ['ssl_key_file', files.key],
      ['ssl', 'on'],
    ]) {
      await plain.unsafe(`alter system set ${name} = '${value}'`);
    }
    await plain`select pg_reload_conf()`;
    await plain.end();

    const isEncrypted = async (host: string, parameters: Record<string, string>) => {
      const url = new URL(postgres.url);
      url.hostname = host;
      url.search = new URLSearchParams(parameters).toString();
      const sql = connectSql({ url: url.href, name: 'test', max: 1 });
      try {
        const [seen] = await sql<
          { ssl: boolean }[]
        >`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
        return seen?.ssl;
      } finally {
        await sql.end({ timeout: 1 });
      }
    };
    const { ca } = files;
    expect(await isEncrypted('localhost', { sslmode: 'verify-full', sslrootcert: ca })).toBe(true);
    expect(await isEncrypted('127.0.0.1', { sslmode: 'verify-ca', sslrootcert: ca })).toBe(true);
    expect(await isEncrypted('127.0.0.1', { sslmode: 'require' })).toBe(true);
    expect(await isEncrypted('localhost', { sslmode: 'disable' })).toBe(false);
    await expect(isEncrypted('127.0.0.1', { sslmode: 'verify-full', sslrootcert: ca })).rejects.toThrow(
      /altnames/,
    );
    await expect(isEncrypted('localhost', { sslmode: 'verify-full' })).rejects.toThrow(/certificate/);

    const url = new URL(postgres.url);
    url.hostname = 'localhost';
    url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: ca }).toString();
    await migrate(url.href);
  });

  test('Redis is trusted by its certificate', async () => {
    await using redis = await startRedis({ dir, say: quiet });
    const logger = createLogger({ role: 'test', level: 'silent' });
    const plain = await openRedis(redis.url);
    const port = await freePort();
    await chmod(files.key, 0o644);
    for (const [name, value] of [
      ['tls-ca-cert-file', files.ca],
      ['tls-key-file', files.key],
      ['tls-cert-file', files.cert],
      ['tls-auth-clients', 'no'],
    ]) {
      await plain.config('SET', name ?? '', value ?? '');
    }
    await plain.config('SET', 'tls-port', String(port));
    plain.disconnect();

    const isReached = async (url: string, limitMs: number) => {
      const client = connectRedis({ url, name: 'test', logger });
      try {
        return await redisReady(client, limitMs);
      } finally {
        client.disconnect();
      }
    };
    expect(await isReached(`rediss://localhost:${port}?ca=${files.ca}`, 60_000)).toBe(true);
    expect(await isReached(`rediss://127.0.0.1:${port}?ca=${files.ca}`, 3000)).toBe(false);
    expect(await isReached(`rediss://localhost:${port}`, 3000)).toBe(false);

    // An error that nobody listens to would end the process, and the run of the tests.
    const givenUp: { status: string }[] = [];
    const trusting = connectRedis({ url: `rediss://localhost:${port}?ca=${files.ca}`, name: 'test', logger });
    await redisReady(trusting, 60_000);
    for (let time = 0; time < 100; time += 1) {
      const client = connectRedis({ url: `rediss://localhost:${port}`, name: 'test', logger });
      givenUp.push(client);
      // At another point of the handshake each time.
      for (let asked = 0; asked < time % 20; asked += 1) await trusting.ping();
      client.disconnect();
    }
    trusting.disconnect();
    const isOver = ({ status }: { status: string }) => status === 'end' || status === 'reconnecting';
    await vi.waitUntil(() => givenUp.every(isOver), { timeout: 60_000 });
  });
});
