import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

import { execa } from 'execa';

import { otherFiles } from '../../proxy/limits.ts';
import { type NginxConfig, nginxConfig } from '../../proxy/nginx-config.ts';
import { freePort } from '../machine/free-port.ts';
import { findServerUser, folderFor } from '../machine/server-user.ts';
import { capacityOf, readSystemLimits, sizeOf } from './capacity.ts';
import { findNginxBinary } from './nginx-binary.ts';
import { type ProxyCommand, type ProxyOptions, connectionsPerAddressMax } from './proxy-options.ts';

const noSpare = { api: [], queue: [] };
const onLoopback = (ports: readonly number[]) => ports.map((port) => `127.0.0.1:${port}`);

/** Finds nginx, writes its configuration for this machine, and lets nginx check it. */
export async function nginxCommand(options: ProxyOptions): Promise<ProxyCommand> {
  const {
    dir,
    port,
    api,
    queue,
    say,
    spare = noSpare,
    connectionsPerAddress = connectionsPerAddressMax,
  } = options;
  const limits = await readSystemLimits();
  const places = queue.length + spare.queue.length;
  const size = sizeOf(limits, queue.length, availableParallelism(), places);
  const { workers, sources } = { ...size, ...(options.sources && { sources: options.sources }) };
  const capacity = capacityOf(
    limits,
    { workers, sources },
    { queueNodes: queue.length, perAddress: connectionsPerAddress },
  );
  const command = await commandFor(
    { dir, say },
    {
      listen: `127.0.0.1:${port}`,
      listenOnce: `127.0.0.1:${await freePort()}`,
      api: onLoopback(api),
      queue: onLoopback(queue),
      spare: { api: onLoopback(spare.api), queue: onLoopback(spare.queue) },
      workers,
      sources,
      connectionsPerWorker: limits.openFiles - otherFiles,
      connectionsPerAddress,
      trustedProxies: [],
      takesTraces: true,
      isSupervised: true,
    },
  );
  return { ...command, capacity };
}

/** nginx with a configuration that it has found valid. */
export async function commandFor(
  { dir, say }: Pick<ProxyOptions, 'dir' | 'say'>,
  config: NginxConfig,
): Promise<ProxyCommand> {
  const { path, libraries, source } = await findNginxBinary(say);
  const user = await findServerUser();
  const home = await folderFor(user, resolve(dir), 'nginx', say);
  const file = join(home, 'nginx.conf');
  await writeFile(file, nginxConfig(config));
  const args = ['-p', `${home}/`, '-c', file, '-e', 'stderr'];
  const env = { PATH: process.env.PATH, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  await execa(path, [...args, '-t'], { ...identity, env, cwd: '/' });
  return { command: path, args, env, user, source, capacity: null };
}
