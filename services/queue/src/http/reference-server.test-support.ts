import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Socket, createServer } from 'node:net';

import { headerBytesMax, refuseConnection } from '@parley/http';

import type { EventsServer, EventsServerDeps } from './events-server.ts';
import { NodeExchange } from './node-exchange.ts';

/** An events server of node:http alone: what a client sees of the quick one, it sees of this one. */
export function createReferenceServer({ onNodeExchange, onGone }: EventsServerDeps): EventsServer {
  const sockets = new Set<Socket>();
  const answering = new Set<NodeExchange>();
  const state = { isDraining: false };
  const http = createHttpServer({ maxHeaderSize: headerBytesMax, requireHostHeader: false });
  http.on('clientError', refuseConnection);
  http.on('request', (incoming, response) => {
    const exchange = new NodeExchange(incoming, response);
    exchange.isLast = state.isDraining;
    answering.add(exchange);
    response.on('close', () => {
      answering.delete(exchange);
      if (exchange.isOpen) onGone(exchange);
    });
    onNodeExchange(exchange);
  });
  // A server of node:http would end its idle connections when it stops accepting.
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    http.emit('connection', socket);
  });

  return {
    async listen(port, host) {
      await new Promise<void>((resolve) => {
        server.listen({ port, host }, resolve);
      });
      // Safe: it listens on a port.
      return (server.address() as AddressInfo).port;
    },
    drain() {
      state.isDraining = true;
      for (const exchange of answering) exchange.isLast = true;
      server.close();
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      });
    },
  };
}
