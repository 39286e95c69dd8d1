import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort, libraryFolders, makeTiedFolder, spawnTied, unpackDebian } from '@parley/infra';

import { RawConnection } from './poller.ts';
import { type Program, programOf } from './processes.ts';

export const nchanPaths = { poll: '/poll', fire: '/fire' };

/** Headers that our replies have and Nchan's have not, so that both send as much. */
const headers = [
  'Cache-Control "private, no-store, max-age=0"',
  'Vary "Accept-Language, Authorization"',
  'X-Content-Type-Options nosniff',
].map((header) => `add_header ${header};`);

/** Whatever is configured, the module makes Debian's default folder for bodies, in here. */
const defaultFolder = '/var/lib/nginx';

const config = (module: string, port: number, connections: number) => `load_module ${module};
daemon off;
worker_processes 1;
user root;
pid nginx.pid;
error_log stderr error;
events { worker_connections ${connections * 2 + 1000}; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path unused;
  uwsgi_temp_path unused;
  scgi_temp_path unused;
  keepalive_timeout 600s;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = ${nchanPaths.fire} {
      nchan_publisher;
      nchan_channel_id bench;
      nchan_message_buffer_length 2;
    }
    location = ${nchanPaths.poll} {
      nchan_subscriber longpoll;
      nchan_channel_id bench;
      nchan_subscriber_first_message oldest;
      nchan_subscriber_last_message_id $arg_last_event_id;
      ${headers.join('\n      ')}
    }
  }
}
`;

/**
 * nginx with Nchan, a server of long polls in C, unpacked from Debian's packages and not installed. One worker
 * serves, as a queue node is one process.
 */
export async function startNchan(connections: number, say: (line: string) => void): Promise<Program> {
  const unpacked = await unpackDebian('nchan', ['nginx', 'libnginx-mod-nchan'], say);
  await mkdir(defaultFolder, { recursive: true });
  const port = await freePort();
  const dir = await makeTiedFolder('parley-nchan-');
  const file = join(dir, 'nginx.conf');
  await writeFile(
    file,
    config(join(unpacked, 'usr/lib/nginx/modules/ngx_nchan_module.so'), port, connections),
  );
  const child = spawnTied(join(unpacked, 'usr/sbin/nginx'), ['-p', `${dir}/`, '-c', file, '-e', 'stderr'], {
    env: { LD_LIBRARY_PATH: await libraryFolders(unpacked) },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A master that is killed leaves its workers.
    deathSignal: 'TERM',
  });
  await whenReachable(child, port);
  const program = programOf(child, port, childOf(child));
  return {
    ...program,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The only worker of nginx. */
function childOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

async function whenReachable(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    try {
      (await RawConnection.open(port)).close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
