import { composeProxy } from '../../proxy/compose.ts';
import { freePort } from '../machine/free-port.ts';
import { temporaryFolder } from '../machine/temporary-folder.test-support.ts';
import type { FakeNode } from '../testing/fake-node.ts';
import { commandFor } from './nginx-command.ts';
import type { ProxyKind, ProxyOptions } from './proxy-options.ts';
import { runProxy, startProxy, type Proxy } from './start-proxy.ts';

/** What stands in front of nodes somewhere: nginx or Node on a developer's machine, and nginx as Compose runs it. */
export const proxies = ['nginx', 'node', 'compose'] as const satisfies readonly (ProxyKind | 'compose')[];

export interface ProxyUnderTest extends Proxy {
  port: number;
  url: string;
}

interface ProxyOfNodes extends Pick<ProxyOptions, 'connectionsPerAddress' | 'sources' | 'spare'> {
  api?: FakeNode[];
  queue?: FakeNode[];
  /** The proxy in front of that of Compose. */
  tlsProxy?: string;
}

/** Starts a proxy in front of these nodes. */
export async function proxyTo(
  kind: (typeof proxies)[number],
  { api = [], queue = [], tlsProxy = '192.0.2.1', ...more }: ProxyOfNodes,
): Promise<ProxyUnderTest> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const portsOf = (nodes: FakeNode[]) => nodes.map((node) => node.port);
  const place = { dir: folder.path, port, say: () => {} };
  const nodes = { api: portsOf(api), queue: portsOf(queue) };
  const proxy =
    kind === 'compose'
      ? await runProxy(place, await composeCommand(place, nodes, { tlsProxy, ...more }))
      : await startProxy({ ...place, ...nodes, ...more, kind });
  const end = async () => {
    await proxy.stop();
    await folder[Symbol.asyncDispose]();
  };
  return { ...proxy, port, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: end };
}

/** The configuration of Compose, but for the addresses and the folders of a container. */
async function composeCommand(
  place: Pick<ProxyOptions, 'dir' | 'port' | 'say'>,
  nodes: Pick<ProxyOptions, 'api' | 'queue'>,
  { tlsProxy, connectionsPerAddress = composeProxy.connectionsPerAddress }: ProxyOfNodes,
) {
  const addresses = (ports: readonly number[]) => ports.map((port) => `127.0.0.1:${port}`);
  return await commandFor(place, {
    ...composeProxy,
    listen: `127.0.0.1:${place.port}`,
    listenOnce: `127.0.0.1:${await freePort()}`,
    api: addresses(nodes.api),
    queue: addresses(nodes.queue),
    connectionsPerAddress,
    trustedProxies: [`set_real_ip_from ${tlsProxy};`],
    isSupervised: true,
  });
}

export async function ask(url: string, init?: RequestInit): Promise<string> {
  return (await fetch(url, init)).text();
}

export const pollOf = (queueId: string) => `/api/v1/events?queue_id=${queueId}&last_event_id=-1`;

export const poll = pollOf('q1');
