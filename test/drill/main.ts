import { chmod, rm } from 'node:fs/promises';

import {
  type Conclusion,
  cannotRun,
  conclude,
  makeTiedFolder,
  readArguments,
  refuseArguments,
  sayProgress as say,
} from '@parley/infra';

import { breakable, drill } from './drill.ts';
import { createFolderTool } from './folder-tool.ts';
import { whyNoOldServer } from './next-server.ts';
import { createPgBackRestTool, postgresOfDebian, whyNoPgBackRest } from './pgbackrest-tool.ts';
import { concludeDrill } from './report.ts';
import { breakableInUpgrade, concludeUpgrade, upgradePostgres } from './upgrade.ts';

const usage = `npm run drill -- [--messages 20000] [--seconds 15] [--queues 60] [--rate 20] [--uploads 2]
                 [--tool folder|pgbackrest] [--mistake] [--break ${breakable.join('|')}] [--json]
npm run drill -- --upgrade [--messages 20000] … [--break ${breakableInUpgrade.join('|')}] [--json]

Runs a cluster with so many messages, archives its database and files continuously, destroys both while clients send,
upload and listen, restores them on empty disks, and lets the clients go on. Prints how old what is lost was (RPO), how
long nobody could send (RTO), and what each client saw. Compares every row and every file with what was destroyed.
Exits with 1 if more than 5 s are lost, if it took more than 2 minutes, if a row or a file of the archive is not there
as it was, or if a client is wrong and was not told.

With --tool pgbackrest it is done as docs/backup.md says, with Debian's Postgres and pgBackRest; ends with 2 where these
cannot be had. Without it, with the functions of Postgres and a shell, which every system has.

With --mistake, nothing is destroyed: somebody deletes messages by a statement of their own, and the database goes back
to the moment before, while nodes run and the files stay. Exits with 1 unless all that was acknowledged before is there,
and nothing of what came since.

With --upgrade, the database moves from Debian's Postgres 15 to the newest one here by logical replication instead, while
clients send and listen. Prints how long nobody could send. Exits with 1 if anything is lost, if a client has to register
anew, or if a sequence is behind; with 2 where there is no Postgres 15.

--rate and --uploads are sends and files per second. --break shows that the drill can fail: the archive ends silently
before the disaster, a file or a row is left out of the restore, nobody compares positions with the restored log, the
database goes back to no moment (with --mistake), or sequences do not come along.`;

const { values } = readArguments(usage, {
  messages: { type: 'string', default: '20000' },
  seconds: { type: 'string', default: '15' },
  queues: { type: 'string', default: '60' },
  rate: { type: 'string', default: '20' },
  uploads: { type: 'string', default: '2' },
  tool: { type: 'string', default: 'folder' },
  mistake: { type: 'boolean', default: false },
  upgrade: { type: 'boolean', default: false },
  break: { type: 'string' },
});
const countOf = (name: 'messages' | 'seconds' | 'queues' | 'rate' | 'uploads') =>
  /^[1-9]\d{0,7}$/.test(values[name])
    ? Number(values[name])
    : refuseArguments(usage, `--${name} takes a number, not ${values[name]}.`);
const isBreakable = (values.upgrade ? breakableInUpgrade : breakable) as readonly string[];
if (values.break !== undefined && !isBreakable.includes(values.break)) {
  refuseArguments(usage, 'There is no such thing to break.');
}
if (values.break === 'target' && !values.mistake) {
  refuseArguments(usage, '--break target needs --mistake.');
}
if ((values.break === 'archive' || values.break === 'files') && values.mistake) {
  refuseArguments(usage, `--break ${values.break} does not go with --mistake.`);
}
if (process.env['DATABASE_URL'] || process.env['REDIS_URL']) {
  say('The drill destroys a database: it starts its own, whatever DATABASE_URL and REDIS_URL say.');
}

const tools = {
  folder: { createTool: createFolderTool, major: undefined },
  pgbackrest: { createTool: createPgBackRestTool, major: postgresOfDebian },
};
if (values.tool !== 'folder' && values.tool !== 'pgbackrest')
  refuseArguments(usage, 'There is no such tool.');
const tool = tools[values.tool];

async function whyNot(): Promise<string | null> {
  if (values.upgrade) return whyNoOldServer();
  return values.tool === 'pgbackrest' ? await whyNoPgBackRest(say) : null;
}

async function run(): Promise<Conclusion> {
  const dir = await makeTiedFolder('parley-drill-');
  try {
    // Postgres does not run as root, and its own user has to get in.
    await chmod(dir, 0o755);
    const options = {
      dir,
      messages: countOf('messages'),
      queues: countOf('queues'),
      sendsPerSecond: countOf('rate'),
      uploadsPerSecond: countOf('uploads'),
      seconds: countOf('seconds'),
      broken: values.break,
      say,
    };
    return values.upgrade
      ? concludeUpgrade(await upgradePostgres(options))
      : concludeDrill(await drill({ ...options, ...tool, isMistaken: values.mistake }));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const missing = await whyNot();
if (missing === null) conclude(values.json, await run());
else cannotRun(values.json, missing);
process.exit();
