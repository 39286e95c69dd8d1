import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a service of a bot may suffer from. */
export const illnesses = ['is down', 'answers 503', 'says nothing', 'redirects elsewhere'] as const;
type Illness = (typeof illnesses)[number];

/** The service of an outgoing-webhook bot: it answers every question, unless it is ill. */
export interface Receiver extends AsyncDisposable {
  url: string;
  /** The questions that it answered, in the order in which it did. */
  taken: string[];
  /** Requests that somebody made where it redirected to. */
  elsewhere: number;
  fallIll(illness: Illness): Promise<void>;
  recover(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  let illness: Illness | null = null;
  const other = createServer((_, response) => {
    receiver.elsewhere += 1;
    response.end('{}');
  });
  const server = createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = questionIn(await textOf(request));
    if (illness === 'says nothing') return;
    if (illness === 'answers 503') response.writeHead(503).end();
    else if (illness === 'redirects elsewhere') {
      response.writeHead(307, { Location: `http://127.0.0.1:${portOf(other)}/` }).end();
    } else {
      receiver.taken.push(question);
      response.end(JSON.stringify({ content: answerTo(question) }));
    }
  }

  const listen = (one: typeof server, port = 0) =>
    new Promise<void>((resolve) => one.listen({ port, host: '127.0.0.1' }, resolve));
  const close = (one: typeof server) => {
    const closed = new Promise((resolve) => one.close(resolve));
    one.closeAllConnections();
    return closed;
  };
  await Promise.all([listen(server), listen(other)]);
  const port = portOf(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    taken: [],
    elsewhere: 0,
    async fallIll(which) {
      illness = which;
      if (which === 'is down') await close(server);
    },
    async recover() {
      if (illness === 'is down') await listen(server, port);
      // Whoever waits for an answer that does not come is told so.
      if (illness === 'says nothing') server.closeAllConnections();
      illness = null;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([close(server), close(other)]);
    },
  };
  return receiver;
}

/** What a bot says to a question. */
export const answerTo = (question: string) => `answer to ${question}`;

/** The question in a payload; a payload without one is a mistake of the product. */
function questionIn(body: string): string {
  const { data } = JSON.parse(body) as { data: string };
  const [question] = /asked \S+/.exec(data) ?? [];
  if (question === undefined) throw new Error(`A service was sent ${body}`);
  return question;
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

// Safe: these servers listen to ports.
const portOf = (server: ReturnType<typeof createServer>) => (server.address() as AddressInfo).port;
