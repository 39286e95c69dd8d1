import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

import type { HubOrders, HubReport } from './orders.ts';

/*
 * What a long-poll server costs that does nothing else: bare node:http, one process, everything in its memory. It answers
 * what clients ask of Parley, with replies of the same kind and size, and tells the members of a channel of a message. It
 * knows no credentials, stores nothing, and has no proxy in front of it.
 */

interface Queue {
  userId: number;
  /** Events that are not acknowledged, with their ids. */
  events: { id: number; text: string }[];
  parked: { response: ServerResponse; sinceMs: number } | null;
}

interface Channel {
  members: number[];
  newest: object[];
}

const heartbeatMs = 50_000;
const pageMessages = 50;
const fileText = 'What somebody has uploaded. '.repeat(400);
const ok = '{"result":"success","msg":""}';

// Safe: the process that starts this one sends its orders first.
const orders = (await once(process, 'message'))[0] as HubOrders;
const queues = new Map<string, Queue>();
const queuesOf = new Map<number, Queue[]>();
for (const { id, userId } of orders.queues) {
  const queue: Queue = { userId, events: [], parked: null };
  queues.set(id, queue);
  queuesOf.set(userId, [...(queuesOf.get(userId) ?? []), queue]);
}
const channels = new Map<number, Channel>(
  orders.channels.map(({ id, members }) => [id, { members, newest: [] }]),
);
let lastId = 0;

function answer(response: ServerResponse, body: string): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', length]);
  response.end(body);
}

const eventsReply = (events: Queue['events']) =>
  `{"result":"success","msg":"","events":[${events.map(({ text }) => text).join()}]}`;

function poll(query: URLSearchParams, response: ServerResponse): void {
  const queue = queues.get(query.get('queue_id') ?? '');
  if (!queue) return answer(response, '{"result":"error"}');
  const cursor = Number(query.get('last_event_id'));
  queue.events = queue.events.filter(({ id }) => id > cursor);
  if (queue.events.length > 0) return answer(response, eventsReply(queue.events));
  queue.parked = { response, sinceMs: Date.now() };
}

function send(form: URLSearchParams): string {
  const channel = channels.get(Number(form.get('to')));
  const id = (lastId += 1);
  const message = {
    ...orders.pattern,
    id,
    stream_id: Number(form.get('to')),
    subject: form.get('topic'),
    content: `<p>${form.get('content')}</p>`,
  };
  channel?.newest.push(message);
  if (channel && channel.newest.length > pageMessages) channel.newest.shift();
  const text = JSON.stringify({ type: 'message', message, flags: [], id });
  for (const member of channel?.members ?? []) {
    for (const queue of queuesOf.get(member) ?? []) {
      queue.events.push({ id, text });
      const { parked } = queue;
      queue.parked = null;
      if (parked) answer(parked.response, eventsReply(queue.events));
    }
  }
  return JSON.stringify({ result: 'success', msg: '', id });
}

function messages(query: URLSearchParams): string {
  const [term] = JSON.parse(query.get('narrow') ?? '[]') as [string, string | number][];
  const newest = channels.get(orders.idOf[String(term?.[1])] ?? 0)?.newest ?? [];
  return JSON.stringify({ result: 'success', msg: '', messages: newest });
}

const server = createServer((request: IncomingMessage, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  if (path === '/api/v1/events') return poll(new URLSearchParams(query), response);
  if (request.method === 'GET' && path === '/api/v1/messages')
    return answer(response, messages(new URLSearchParams(query)));
  if (path.startsWith('/api/v1/user_uploads/'))
    return answer(response, '{"result":"success","msg":"","url":"/file"}');
  if (path === '/file') return answer(response, fileText);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    answer(response, path === '/api/v1/messages' ? send(form) : ok);
  });
});
server.keepAliveTimeout = 600_000;
server.requestTimeout = 0;

/** Whoever has waited long is told so, as everywhere. */
setInterval(() => {
  const untilMs = Date.now() - heartbeatMs;
  for (const queue of queues.values()) {
    const { parked } = queue;
    if (!parked || parked.sinceMs > untilMs) continue;
    queue.parked = null;
    answer(parked.response, eventsReply([{ id: 0, text: '{"type":"heartbeat","id":0}' }]));
  }
}, 1000);
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  const address = server.address();
  const report: HubReport = { port: typeof address === 'object' ? (address?.port ?? 0) : 0 };
  process.send?.(report);
});
process.on('disconnect', () => process.exit(0));
