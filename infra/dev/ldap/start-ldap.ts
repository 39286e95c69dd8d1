import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { libraryFolders, unpackDebian } from '../machine/debian-package.ts';
import { findProgram } from '../machine/find-program.ts';
import { freePort } from '../machine/free-port.ts';
import { connectOnce, retryUntil } from '../machine/retry-until.ts';
import type { Say } from '../machine/say.ts';
import { spawnTied } from '../machine/tied-process.ts';

/** A directory of one's own: an empty OpenLDAP, and the account that may do everything in it. */
export interface Ldap extends AsyncDisposable {
  url: string;
  baseDn: string;
  adminDn: string;
  adminPassword: string;
}

const packages = ['slapd', 'libldap-2.5-0', 'libltdl7', 'libodbc2', 'libsasl2-2', 'libwrap0'];
const readyMsMax = 15_000;

/**
 * Starts an empty directory. It listens on loopback and ends with this process.
 *
 * @throws Error where OpenLDAP is not installed and its Debian package cannot be had
 */
export async function startLdap({ dir, say }: { dir: string; say: Say }): Promise<Ldap> {
  const { program, root, libraries } = await findSlapd(say);
  const home = resolve(dir, 'ldap');
  await mkdir(join(home, 'data'), { recursive: true });
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  const baseDn = 'dc=example,dc=org';
  const admin = { adminDn: `cn=admin,${baseDn}`, adminPassword: 'the password of the administrator' };
  const schemas = ['core', 'cosine', 'inetorgperson'].map(
    (name) => `include ${root}/etc/ldap/schema/${name}.schema`,
  );
  const settings = [
    ...schemas,
    `modulepath ${root}/usr/lib/ldap`,
    'moduleload back_mdb',
    `pidfile ${home}/slapd.pid`,
    'database mdb',
    `directory ${home}/data`,
    `suffix "${baseDn}"`,
    `rootdn "${admin.adminDn}"`,
    `rootpw "${admin.adminPassword}"`,
  ];
  const file = join(home, 'slapd.conf');
  await writeFile(file, `${settings.join('\n')}\n`);
  const child = spawnTied(program, ['-f', file, '-h', url, '-d', '0'], {
    cwd: '/',
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries },
    stdio: 'ignore',
    deathSignal: 'TERM',
  });
  const ended = once(child, 'exit');
  await retryUntil(() => connectOnce(port), AbortSignal.timeout(readyMsMax));
  return {
    url,
    baseDn,
    ...admin,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function findSlapd(say: Say) {
  const installed = findProgram('slapd');
  if (installed) return { program: installed, root: '', libraries: '' };
  const root = await unpackDebian('slapd', packages, say);
  return { program: join(root, 'usr/sbin/slapd'), root, libraries: await libraryFolders(root) };
}
