import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between a client and a node, and breaks its first connections, each after so many bytes of the client's. */
export interface CuttingProxy extends AsyncDisposable {
  port: number;
  /** Connections that were broken. */
  cuts(): number;
}

export async function startCuttingProxy(port: number, cutAfter: readonly number[]): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const left = [...cutAfter];
  let cuts = 0;
  const server = createServer((client) => {
    const node = connect({ host: '127.0.0.1', port });
    let [passed, isCut] = [0, false];
    for (const socket of [client, node]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    node.on('close', () => client.destroy());
    // What was passed before the cut still arrives.
    client.on('close', () => isCut || node.destroy());
    client.on('data', (chunk: Buffer) => {
      passed += chunk.length;
      const [bytesMax] = left;
      node.write(chunk);
      if (bytesMax === undefined || passed < bytesMax) return;
      left.shift();
      cuts += 1;
      isCut = true;
      client.destroy();
      node.end();
    });
    node.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
