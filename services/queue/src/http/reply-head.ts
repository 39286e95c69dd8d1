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

/** Longer than a proxy keeps idle connections, so that the server never closes one while a request arrives. */
export const keepAliveMs = 75_000;

const stays = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;
const closes = 'Connection: close\r\n';

/** Makes the head of a reply of JSON: status line, headers, and the empty line. `own` are whole lines. */
export type ReplyHead = (
  status: number,
  own: string,
  bodyBytes: number,
  isLast: boolean,
  nowMs: number,
) => string;

/** Writes the heads of replies. `more` are headers of every reply. */
export function createReplyHead(more: Readonly<Record<string, string>>): ReplyHead {
  const headers = headerLines({ ...(Object.fromEntries(pairs) as Record<string, string>), ...more });
  let texts = textsOf(headers, 0);
  return (status, own, bodyBytes, isLast, nowMs) => {
    if (Math.floor(nowMs / 1000) !== texts.second) texts = textsOf(headers, nowMs);
    const start = status === 200 && !isLast ? texts.usual : startOf(status, texts.ofEvery, isLast);
    return `${start}${own}Content-Length: ${bodyBytes}\r\n\r\n`;
  };
}

/** What replies of one second have in common, and with what nearly all of them begin. */
function textsOf(headers: string, nowMs: number) {
  const ofEvery = `${headers}Date: ${new Date(nowMs).toUTCString()}\r\n`;
  return { second: Math.floor(nowMs / 1000), ofEvery, usual: startOf(200, ofEvery, false) };
}

const startOf = (status: number, headers: string, isLast: boolean) =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${headers}${isLast ? closes : stays}`;
