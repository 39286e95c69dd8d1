import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { convertArchive } from '@parley/archive';
import { type Sql, connectSql } from '@parley/db';
import type { DistributedPostgres, Say } from '@parley/infra';

import { createChaosRealm } from '../chaos/chaos-realm.ts';
import { Deployments } from '../import-archives/deployments.ts';
import { products } from '../import-archives/products.ts';
import { type ImportedRows, describeDifferences, readImported } from './imported-rows.ts';
import { runCommand } from './run-command.ts';

export interface ImportsReport {
  /** How many archives were read, on each database. */
  archives: number;
  /** How often the command was killed before the last one ended. */
  kills: number;
  rows: number;
  /** What should not have been, in words. */
  anomalies: string[];
}

interface Options {
  folder: string;
  /** Whether a row is lost on purpose. */
  isBroken: boolean;
  say: Say;
}

/** An archive, and what it is read by. */
interface Given {
  name: string;
  args: readonly string[];
}

interface Place {
  sql: Sql;
  env: Readonly<Record<string, string>>;
}

const secret = 'a secret of archives that are imported again and again';
/** So many files of an archive are read when the command is killed. */
const filesRead = 6;

/**
 * Imports archives of two products and one of Parley by the command, each into a new organization and into one that people use:
 * on the divided database, where each of them is killed once, and on one Postgres. Both have to have the same in the end.
 */
export async function importDivided(
  servers: DistributedPostgres,
  { folder, isBroken, say }: Options,
): Promise<ImportsReport> {
  const given = await makeArchives(folder);
  await using deployments = await Deployments.start(await mkdtemp(join(folder, 'plain-')));
  const plain = await deployments.with((place) => importAll(place, given, { kills: false, say }));
  const uploads = await mkdtemp(join(folder, 'uploads-'));
  const sql = connectSql({ url: servers.url, name: 'distributed', max: 1 });
  try {
    const asNode = new URL(servers.url);
    asNode.username = 'parley_node';
    const env = { DATABASE_URL: asNode.href, UPLOADS_DIR: uploads, PARLEY_SECRET: secret };
    const divided = await importAll({ sql, env }, given, { kills: true, isBroken, say });
    const anomalies = [...plain.anomalies, ...divided.anomalies];
    for (const [name, rows] of plain.organizations) {
      const differences = describeDifferences(rows, divided.organizations.get(name) ?? new Map());
      anomalies.push(...differences.map((one) => `${name} differs from one Postgres in ${one}`));
    }
    if (divided.kills === 0) anomalies.push('no import was killed before it ended');
    const all = [...divided.organizations.values()].flatMap((rows) => [...rows.values()]);
    const rows = all.reduce((sum, some) => sum + some.length, 0);
    return { archives: divided.organizations.size, kills: divided.kills, rows, anomalies };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Makes one archive of each of two products, and one of Parley. */
async function makeArchives(folder: string): Promise<Given[]> {
  const given: Given[] = [];
  for (const { source, small } of products.filter((one) => ['slack', 'zulip'].includes(one.source))) {
    const made = join(folder, `archive-${source}`);
    await mkdir(made);
    const { file, downloads } = await small(made);
    for (const [path, content] of Object.entries(downloads)) {
      await mkdir(dirname(join(made, 'files', path)), { recursive: true });
      await writeFile(join(made, 'files', path), content);
    }
    const files = Object.keys(downloads).length > 0 ? ['--files', join(made, 'files')] : [];
    given.push({ name: source, args: [file, ...files] });
  }
  const [zulip] = given.slice(-1);
  const converted = await convertArchive({
    archive: zulip?.args[0] ?? '',
    from: 'zulip',
    name: 'own',
    onProgress: () => undefined,
  });
  return [...given, { name: 'own', args: [converted.file] }];
}

async function importAll(
  place: Place,
  given: readonly Given[],
  { kills: isKilled, isBroken = false, say }: { kills: boolean; isBroken?: boolean; say: Say },
): Promise<{ organizations: Map<string, ImportedRows>; kills: number; anomalies: string[] }> {
  const organizations = new Map<string, ImportedRows>();
  const anomalies: string[] = [];
  let kills = 0;
  for (const { name: source, args } of given) {
    for (const isLiving of [false, true]) {
      const name = `${source}-${isLiving ? 'living' : 'new'}`;
      say(`Importing into ${name} …`);
      const since = new Date();
      const backends = { databaseUrl: place.env['DATABASE_URL'] ?? '', redisUrl: '', secret };
      if (isLiving) await makeLiving(place, backends, name);
      const run = ['import', ...args, isLiving ? '--into' : '--name', name, '--json'];
      const begun = isLiving ? `into ${name}` : name;
      if (isKilled) {
        const { code } = await runCommand(run, {
          env: place.env,
          killedWhen: () => hasBegun(place.sql, begun),
        });
        if (code === null) kills += 1;
      }
      const { code, stderr } = await runCommand(run, { env: place.env });
      if (code !== 0) anomalies.push(`The import into ${name} ended with ${code}: ${stderr.slice(-600)}`);
      const [realm] = await place.sql<{ id: number }[]>`select id from realms where name = ${name}`;
      const realmId = realm?.id ?? 0;
      if (isBroken) await place.sql`delete from reactions where realm_id = ${realmId}`;
      organizations.set(name, await readImported(place.sql, realmId, since));
    }
  }
  return { organizations, kills, anomalies };
}

async function makeLiving(
  { sql }: Place,
  backends: { databaseUrl: string; redisUrl: string; secret: string },
  name: string,
): Promise<void> {
  const { realmId, members } = await createChaosRealm(backends, { name, members: 3 });
  await sql`update users set role = 100 where realm_id = ${realmId} and id = ${members[0]?.id ?? 0}`;
}

/** Whether some files of an archive have been read. */
async function hasBegun(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql`select from realm_imports where name = ${name} and files >= ${filesRead}`;
  return rows.length > 0;
}

/** Says in words what was imported. */
export const describeImports = ({ archives, kills, rows, anomalies }: ImportsReport): string =>
  `Archives were imported into ${archives} organizations, ${kills} times after a kill: ${
    anomalies.join('; ') || `their ${rows} rows are those on one Postgres`
  }.`;
