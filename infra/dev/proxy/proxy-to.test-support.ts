import { freePort } from '../machine/free-port.ts';
import { temporaryFolder } from '../machine/temporary-folder.test-support.ts';
import type { FakeNode } from '../testing/fake-node.ts';
import type { ProxyKind, ProxyOptions } from './proxy-options.ts';
import { startProxy, type Proxy } from './start-proxy.ts';

export interface ProxyUnderTest extends Proxy {
  port: number;
  url: string;
}

interface ProxyOfNodes extends Pick<ProxyOptions, 'connectionsPerAddress' | 'sources'> {
  api?: FakeNode[];
  queue?: FakeNode[];
}

/** Starts a proxy in front of these nodes. */
export async function proxyTo(
  kind: ProxyKind,
  { api = [], queue = [], ...more }: ProxyOfNodes,
): Promise<ProxyUnderTest> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const portsOf = (nodes: FakeNode[]) => nodes.map((node) => node.port);
  const ports = { port, api: portsOf(api), queue: portsOf(queue) };
  const options = { dir: folder.path, kind, ...ports, ...more, say: () => {} };
  const proxy = await startProxy(options);
  const end = async () => {
    await proxy.stop();
    await folder[Symbol.asyncDispose]();
  };
  return { ...proxy, port, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: end };
}

export async function ask(url: string, init?: RequestInit): Promise<string> {
  return (await fetch(url, init)).text();
}

export const poll = '/api/v1/events?queue_id=q1&last_event_id=-1';
