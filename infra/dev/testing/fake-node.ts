import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeNode extends AsyncDisposable {
  name: string;
  port: number;
  /** The requests that arrived, whether answered or not. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  /** What has arrived of the body of the newest request, complete or not. */
  arrived(): string;
  /** Stops listening and cuts all connections, like a process that is killed. */
  die(): Promise<void>;
}

type Behaviour = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** An upstream that answers with its name, or does what `behave` does instead. */
export async function fakeNode(
  name: string,
  behave: Behaviour = (_, outgoing) => void outgoing.end(name),
  port = 0,
): Promise<FakeNode> {
  const requests: FakeNode['requests'] = [];
  let newest: Buffer[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    newest = chunks;
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      behave(incoming, outgoing);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const die = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const address = server.address() as AddressInfo;
  const arrived = () => Buffer.concat(newest).toString();
  return { name, port: address.port, requests, arrived, die, [Symbol.asyncDispose]: die };
}
