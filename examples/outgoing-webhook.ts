/*
 * The service of an outgoing-webhook bot: it is asked whenever somebody mentions the bot or writes to it, and what it
 * answers, the bot says.
 *
 *   BOT_TOKEN=… PORT=8080 node examples/outgoing-webhook.ts
 *
 * Node 22.18 or newer runs it as it is. On Node 20: npm run types && node examples/dist/outgoing-webhook.js
 * It needs nothing besides Node. README.md says where the bot and its token come from, and docs/outgoing-webhooks.md
 * has everything that such a service is sent and may answer.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

const { BOT_TOKEN = '', PORT = '8080' } = process.env;
if (BOT_TOKEN === '') throw new Error('Set BOT_TOKEN to the token of the bot.');

interface Question {
  token: string;
  data: string;
  trigger: 'mention' | 'direct_message';
  message: { sender_full_name: string };
}

/** What was answered to each event, for a day: an event may arrive twice, and is answered alike. */
const answered = new Map<string, { content: string; atMs: number }>();
const dayMs = 24 * 60 * 60_000;

const digest = (text: string) => createHash('sha256').update(text).digest();
const isOurs = (token: string) => timingSafeEqual(digest(token), digest(BOT_TOKEN));

function answerTo({ data, message }: Question): string {
  const words = data.split(/\s+/).filter((word) => word !== '' && !word.startsWith('@'));
  return `${message.sender_full_name}, that was ${words.length} ${words.length === 1 ? 'word' : 'words'}.`;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  // Safe: whoever knows the token is the server.
  const question = JSON.parse(body) as Question;
  if (!isOurs(String(question.token))) {
    response.writeHead(403).end();
    return;
  }
  const key = String(request.headers['idempotency-key']);
  const content = answered.get(key)?.content ?? answerTo(question);
  answered.set(key, { content, atMs: Date.now() });
  for (const [old, { atMs }] of answered) if (atMs < Date.now() - dayMs) answered.delete(old);
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ content }));
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.writeHead(400).end());
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  process.stdout.write(`Listening at http://127.0.0.1:${port}/\n`);
});
