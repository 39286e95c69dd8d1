import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { bodyMebibytesMax } from '../../proxy/limits.ts';
import { refusals, saysWhen, type Refusal } from '../../proxy/refusals.ts';

function mebibytesMaxOf(path: string): number {
  const { default: usual, ...larger } = bodyMebibytesMax;
  const isOf = (place: string) => (place.endsWith('/') ? path.startsWith(place) : path === place);
  return Object.entries(larger).find(([place]) => isOf(place))?.[1] ?? usual;
}

/** Reads the whole body, so that it can be sent twice; undefined if it is too large. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const [path = ''] = (incoming.url ?? '').split('?', 1);
  const bodyBytesMax = mebibytesMaxOf(path) * 1024 * 1024;
  if (Number(incoming.headers['content-length'] ?? 0) > bodyBytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early keeps the connection open, so that the refusal can be sent.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function refuse(outgoing: ServerResponse, { status, body }: Refusal): void {
  outgoing.setHeader('Content-Type', 'application/json');
  if (saysWhen.has(status)) outgoing.setHeader('Retry-After', '1');
  // The rest of a request that is too large is not worth reading.
  if (status === 413) outgoing.setHeader('Connection', 'close');
  outgoing.statusCode = status;
  outgoing.end(body);
}

/** Refuses bytes that are not an HTTP request, for which there is no response object. */
export function refuseRaw(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return;
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const { status, body } = tooLarge ? refusals.headersTooLarge : refusals.badRequest;
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
