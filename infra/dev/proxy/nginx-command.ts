import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

import { execa } from 'execa';

import { freePort } from '../machine/free-port.ts';
import { findServerUser, folderFor } from '../machine/server-user.ts';
import { capacityOf, otherFiles, readSystemLimits, sizeOf } from './capacity.ts';
import { findNginxBinary } from './nginx-binary.ts';
import { nginxConfig } from './nginx-config.ts';
import type { ProxyCommand, ProxyOptions } from './proxy-options.ts';
import { connectionsPerAddressMax } from './refusals.ts';

const noSpare = { api: [], queue: [] };

/** Finds nginx, writes its configuration, and lets nginx check it. */
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
  const { path, libraries, source } = await findNginxBinary(say);
  const user = await findServerUser();
  const home = await folderFor(user, resolve(dir), 'nginx', say);
  const file = join(home, 'nginx.conf');
  const limits = await readSystemLimits();
  const queueNodes = queue.length + spare.queue.length;
  const size = sizeOf(limits, queueNodes, availableParallelism());
  const { workers, sources } = { ...size, ...(options.sources && { sources: options.sources }) };
  const connectionsPerWorker = limits.openFiles - otherFiles;
  const capacity = capacityOf(
    limits,
    { workers, sources },
    { queueNodes: queue.length, perAddress: connectionsPerAddress },
  );
  const oncePort = await freePort();
  const connections = { connectionsPerWorker, connectionsPerAddress };
  await writeFile(file, nginxConfig({ port, oncePort, api, queue, spare, workers, sources, ...connections }));

  const args = ['-p', `${home}/`, '-c', file, '-e', 'stderr'];
  const env = { PATH: process.env.PATH, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  await execa(path, [...args, '-t'], { ...identity, env, cwd: '/' });
  return { command: path, args, env, user, source, capacity };
}
