import { type ServerResponse, createServer } from 'node:http';

import { jsonHeaders } from '@parley/http';

/**
 * The floor: what bare node:http needs to park polls and to answer them all with given bytes. No queues, no filters,
 * no credentials, no log. `GET` parks; `POST /fire?N` writes its own body to everyone who waits, once they are N.
 */
let parked: ServerResponse[] = [];
let fire: { polls: number; body: Buffer } | null = null;

function fireIfAllWait(): void {
  if (!fire || parked.length < fire.polls) return;
  const [waiting, { body }] = [parked, fire];
  parked = [];
  fire = null;
  const headers = [...jsonHeaders, 'Content-Length', String(body.length)];
  for (const one of waiting) {
    one.writeHead(200, headers);
    one.end(body);
  }
}

const server = createServer((request, response) => {
  if (request.url?.endsWith('dont_block=true')) {
    response.writeHead(200, ['Content-Length', '2']);
    response.end('{}');
    return;
  }
  if (request.method === 'GET') {
    parked.push(response);
    fireIfAllWait();
    return;
  }
  const polls = Number(request.url?.split('?')[1]);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(200, ['Content-Length', '0']);
    response.end();
    fire = { polls, body: Buffer.concat(chunks) };
    fireIfAllWait();
  });
});
server.keepAliveTimeout = 75_000;
server.requestTimeout = 0;
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.stdout.write(`${JSON.stringify({ ready: true, port })}\n`);
});
