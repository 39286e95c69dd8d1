import { STATUS_CODES } from 'node:http';

import { jsonHeaders } from '@parley/http';

/** Headers as lines, each with its CRLF. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

const pairs = jsonHeaders.flatMap((name, index) =>
  index % 2 === 0 ? [[name, jsonHeaders[index + 1] ?? '']] : [],
);
/** Headers of every reply of JSON. */
export const jsonHeaderLines = headerLines(Object.fromEntries(pairs) as Record<string, string>);

/** Longer than a proxy keeps idle connections, so that the server never closes one while a request arrives. */
export const keepAliveMs = 75_000;

const stays = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;
const closes = 'Connection: close\r\n';

let second = 0;
let date = '';

/** What is the same in all replies of one second. */
function dateLine(nowMs: number): string {
  const now = Math.floor(nowMs / 1000);
  if (now !== second) {
    second = now;
    date = `Date: ${new Date(nowMs).toUTCString()}\r\n`;
  }
  return date;
}

/** The head of a reply: status line, headers, and the empty line. */
export const replyHead = (status: number, headers: string, bytes: number, isLast: boolean, nowMs: number) =>
  `${statusLine(status)}${headers}${dateLine(nowMs)}${isLast ? closes : stays}Content-Length: ${bytes}\r\n\r\n`;

const statusLine = (status: number) =>
  status === 200 ? 'HTTP/1.1 200 OK\r\n' : `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
