import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Say, findData, findServerUser, libraryFolders, unpackDebian } from '@parley/infra';

import { run } from '../versions/history.ts';
import { archiveBy, filesIn, makeFolders, provideFilesCommand } from './archive-folders.ts';
import type { BackupTool, Kept } from './backup-tool.ts';

/** The Postgres of the Debian that has this pgBackRest. It does not know newer ones. */
export const postgresOfDebian = 15;
const packages = ['pgbackrest', 'libpq5', 'libssh2-1'];

interface Program {
  path: string;
  libraries: string;
}

/** Finds pgBackRest, or gets it from Debian. Throws where it cannot be had. */
async function findProgram(say: Say): Promise<Program> {
  if (spawnSync('pgbackrest', ['version']).status === 0) return { path: 'pgbackrest', libraries: '' };
  const root = await unpackDebian('pgbackrest', packages, say);
  const program = { path: join(root, 'usr/bin/pgbackrest'), libraries: await libraryFolders(root) };
  const env = { LD_LIBRARY_PATH: program.libraries };
  const { status, stderr } = spawnSync(program.path, ['version'], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`It does not run here: ${stderr}`);
  return program;
}

/** Returns why a drill with pgBackRest cannot run on this machine, in a sentence; null if it can. */
export async function whyNoPgBackRest(say: Say): Promise<string | null> {
  const install = `Install both: apt-get install pgbackrest postgresql-${postgresOfDebian}`;
  try {
    await findProgram(say);
  } catch (error) {
    return `pgBackRest cannot be had (${error instanceof Error ? error.message : String(error)}). ${install}`;
  }
  const postgres = `/usr/lib/postgresql/${postgresOfDebian}/bin/postgres`;
  return spawnSync(postgres, ['--version']).status === 0 ? null : `There is no ${postgres}. ${install}`;
}

/** Archives into a repository of pgBackRest, as docs/backup.md says. */
export async function createPgBackRestTool(kept: Kept): Promise<BackupTool> {
  const { postgres, archive, sockets, say } = kept;
  const program = await findProgram(say);
  const user = await findServerUser();
  await makeFolders(archive, ['repository', 'log', 'lock', 'spool']);
  const config = join(archive, 'pgbackrest.conf');
  const settings = {
    'repo1-path': join(archive, 'repository'),
    'repo1-retention-full': '2',
    'compress-type': 'lz4',
    'start-fast': 'y',
    'log-path': join(archive, 'log'),
    'lock-path': join(archive, 'lock'),
    'spool-path': join(archive, 'spool'),
  };
  const server = {
    'pg1-path': await findData(postgres.url),
    'pg1-port': String(postgres.port),
    'pg1-socket-path': sockets,
    'pg1-user': 'parley',
  };
  const lines = (section: object) => Object.entries(section).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(config, ['[global]\n', ...lines(settings), '[parley]\n', ...lines(server)].join(''));
  // The server runs it as well, with no variables of ours.
  const command = join(archive, 'pgbackrest');
  const libraries = program.libraries && `export LD_LIBRARY_PATH='${program.libraries}'\n`;
  const script = `#!/bin/sh\nexport PGBACKREST_CONFIG='${config}'\n${libraries}exec '${program.path}' "$@"\n`;
  await writeFile(command, script);
  await chmod(command, 0o755);
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  const ask = (...args: string[]) =>
    run(command, ['--stanza=parley', '--log-level-console=warn', ...args], { cwd: '/', ...identity });
  return {
    name: 'pgbackrest',
    settings: archiveBy(
      `${await provideFilesCommand(kept)} && '${command}' --stanza=parley archive-push '%p'`,
    ),
    async backUp() {
      await ask('stanza-create');
      await ask('check');
      await ask('backup');
    },
    async layOut(data, { isApart, until }) {
      await mkdir(data, { mode: 0o700 });
      if (user) await chown(data, user.uid, user.gid);
      const apart = isApart ? ['--archive-mode=off', '--target-timeline=current'] : [];
      const point =
        until === undefined ? [] : ['--type=time', `--target=${until}`, '--target-action=promote'];
      await ask(`--pg1-path=${data}`, `--cmd=${command}`, ...apart, ...point, 'restore');
      // A server that was killed has left the lock of its socket.
      await rm(sockets, { recursive: true, force: true });
      await makeFolders(sockets, []);
    },
    layOutFiles: (to) => cp(filesIn(archive), to, { recursive: true, preserveTimestamps: true }),
  };
}
