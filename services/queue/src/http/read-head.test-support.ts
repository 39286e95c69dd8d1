import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { Duplex } from 'node:stream';

/** A request as node:http reads it. */
export interface OracleRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  keepsAlive: boolean;
  body: string;
}

/** What node:http reads from a connection that sends these bytes; `isRefused` when it ends with bytes that are no HTTP. */
export async function readByNode(text: string): Promise<{ requests: OracleRequest[]; isRefused: boolean }> {
  const requests: OracleRequest[] = [];
  let isRefused = false;
  const server = createServer({ requireHostHeader: false });
  const connection = new Duplex({ read() {}, write: (_, __, done) => done() });
  const over = new Promise<void>((resolve) => {
    connection.on('close', resolve);
    server.on('clientError', () => {
      isRefused = true;
      connection.destroy();
    });
    const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, keepsAlive: response.shouldKeepAlive, body: '' };
      requests.push(request);
      incoming.on('data', (chunk: Buffer) => (request.body += chunk.toString('latin1')));
      incoming.on('end', () => response.end());
    };
    server.on('request', onRequest);
    server.on('checkContinue', onRequest);
    server.on('upgrade', () => connection.destroy());
    server.on('connect', () => connection.destroy());
  });
  server.emit('connection', connection);
  connection.push(Buffer.from(text, 'latin1'));
  connection.push(null);
  await over;
  return { requests, isRefused };
}
