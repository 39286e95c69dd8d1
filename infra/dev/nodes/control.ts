import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, request } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { parseCounts } from './counts.ts';
import type { Cluster } from './start-cluster.ts';

/** The socket of a folder: the shorter of its two names, because a system takes about a hundred bytes for that of a socket. */
export function socketOf(dir: string): string {
  const full = join(resolve(dir), 'control');
  const fromHere = relative('.', full);
  return fromHere.length < full.length ? fromHere : full;
}

const commandLengthMax = 1000;

export type Controlled = Pick<Cluster, 'nodes' | 'scale' | 'roll'>;

const commands: Readonly<Record<string, (cluster: Controlled, words: readonly string[]) => Promise<void>>> = {
  scale: (cluster, words) => cluster.scale(parseCounts(words)),
  roll: (cluster) => cluster.roll(),
};

/** Does what a request asks of the cluster, which is there once it has started. */
export async function obey(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  cluster: Controlled | undefined,
): Promise<void> {
  try {
    if (!cluster) throw new Error('The cluster is still starting. Try again when it has said its address.');
    const asked = await text(incoming);
    outgoing.end(await execute(cluster, asked.slice(0, commandLengthMax)));
  } catch (error) {
    outgoing.writeHead(400).end(error instanceof Error ? error.message : String(error));
  }
}

async function execute(cluster: Controlled, asked: string): Promise<string> {
  const [name = '', ...words] = asked.split(' ').filter(Boolean);
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run)
    throw new Error(`${name} is not a command. The commands are ${Object.keys(commands).join(' and ')}.`);
  await run(cluster, words);
  return `Nodes: ${cluster.nodes.map(({ name: node, pid }) => `${node} (pid ${pid})`).join(', ')}`;
}

/** Asks the cluster that runs in a folder to do something, and resolves with what it says when it is done. */
export async function command(dir: string, words: readonly string[]): Promise<string> {
  return await ask(socketOf(dir), 'POST', words.join(' ')).catch((error: unknown) => {
    if (error instanceof Refused) throw error;
    throw new Error(`No cluster runs in ${dir}. Start one with: npm run cluster`, { cause: error });
  });
}

class Refused extends Error {}

/** Sends a request to whoever listens on a socket. */
export async function ask(
  socketPath: string,
  method: string,
  body: string,
  signal?: AbortSignal,
): Promise<string> {
  const asked = request({ socketPath, method, ...(signal && { signal }) });
  asked.end(body);
  const [reply]: IncomingMessage[] = await once(asked, 'response');
  if (!reply) throw new Error('There is no reply.');
  const said = await text(reply);
  if (reply.statusCode !== 200) throw new Refused(said);
  return said;
}
