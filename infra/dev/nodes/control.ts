import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { parseCounts } from './counts.ts';
import type { Cluster } from './start-cluster.ts';

const socketOf = (dir: string) => join(resolve(dir), 'control');
const commandLengthMax = 1000;

type Controlled = Pick<Cluster, 'nodes' | 'scale' | 'roll'>;

const commands: Readonly<Record<string, (cluster: Controlled, words: readonly string[]) => Promise<void>>> = {
  scale: (cluster, words) => cluster.scale(parseCounts(words)),
  roll: (cluster) => cluster.roll(),
};

/** Takes commands for a running cluster, on a socket in its folder that only its owner may use. */
export async function takeCommands(dir: string, cluster: Controlled): Promise<AsyncDisposable> {
  const socket = socketOf(dir);
  // It may be left by a run that was killed.
  await rm(socket, { force: true });
  const server = createServer((incoming, outgoing) => void obey(incoming, outgoing, cluster));
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(socket, listening));
  await chmod(socket, 0o600);
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function obey(incoming: IncomingMessage, outgoing: ServerResponse, cluster: Controlled): Promise<void> {
  try {
    const asked = await text(incoming);
    outgoing.end(await execute(cluster, asked.slice(0, commandLengthMax)));
  } catch (error) {
    outgoing.writeHead(400).end(error instanceof Error ? error.message : String(error));
  }
}

async function execute(cluster: Controlled, asked: string): Promise<string> {
  const [name = '', ...words] = asked.split(' ').filter(Boolean);
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run) throw new Error(`${name}: there are ${Object.keys(commands).join(' and ')}.`);
  await run(cluster, words);
  return `Nodes: ${cluster.nodes.map(({ name: node, pid }) => `${node} (pid ${pid})`).join(', ')}`;
}

/** Asks the cluster that runs in a folder to do something, and resolves with what it says when it is done. */
export async function command(dir: string, words: readonly string[]): Promise<string> {
  const asked = request({ socketPath: socketOf(dir), method: 'POST' });
  asked.end(words.join(' '));
  const [reply]: IncomingMessage[] = await once(asked, 'response').catch((error: unknown) => {
    throw new Error(`No cluster runs in ${dir}: npm run cluster`, { cause: error });
  });
  if (!reply) throw new Error('There is no reply.');
  const said = await text(reply);
  if (reply.statusCode !== 200) throw new Error(said);
  return said;
}
