import { connect } from 'node:net';

import { systemClock } from '@parley/kit';

import { createEventsServer } from './events-server.ts';

const waitMs = 10_000;

/**
 * Returns whether this Node hands over what its sockets receive as connections expect it. They rely on what no documentation
 * promises (`connection.ts`), so a node tries it once before it serves anybody: two plain requests that arrive together,
 * and one that node:http has to answer.
 */
export async function socketsWork(): Promise<boolean> {
  const server = createEventsServer({
    onExchange: (exchange) => exchange.send(200, '', exchange.head.url),
    onNodeExchange: (exchange) => exchange.send(200, '', `${exchange.head.method} by node:http`),
    onGone: () => undefined,
    isHttps: false,
    clock: systemClock,
  });
  const port = await server.listen(0, '127.0.0.1');
  try {
    const plain = await askAndLeave(port, `${requestOf('GET /first')}${requestOf('GET /second')}`);
    if (!/\/first[^]*\/second$/.test(plain)) return false;
    const handedOver = await ask(port, requestOf('DELETE /third'));
    return handedOver.endsWith('DELETE by node:http');
  } finally {
    await server.close();
  }
}

const requestOf = (methodAndPath: string) => `${methodAndPath} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** What the server answers until it closes the connection. */
const ask = (port: number, text: string) => heardBy(port, (socket) => socket.write(text));
/** What it answers a client that says at once that it sends nothing more. */
const askAndLeave = (port: number, text: string) => heardBy(port, (socket) => socket.end(text));

async function heardBy(port: number, speak: (socket: ReturnType<typeof connect>) => void): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', timeout: waitMs, allowHalfOpen: true });
  let heard = '';
  return await new Promise((resolve) => {
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    socket.on('end', () => socket.end());
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
    socket.on('connect', () => speak(socket));
  });
}

/** Returns what an operator reads whose Node is not supported. */
export const unsupportedNode = (version: string) =>
  `Node ${version} handles connections in a way that queue nodes do not support. Run Parley with Node 20, 22, 24 or 26.`;
