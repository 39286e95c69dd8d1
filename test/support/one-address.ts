import { type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getWorld } from './world.ts';

/** One address of an organization in front of the file's nodes, for programs that know of no nodes. */
export async function startOneAddress(host: string): Promise<AsyncDisposable & { url: string }> {
  const { ports } = await getWorld();
  const server: Server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const isForQueueNode =
      path.startsWith('/api/v1/events') && (method === 'DELETE' || path.includes('queue_id='));
    const port = isForQueueNode ? ports.queue : ports.api;
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host } });
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    // A program that hangs up waits no longer.
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
