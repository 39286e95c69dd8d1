import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Job, WebhookPayload } from '@parley/protocol';
import { type JobDeps, type Outbound, createWebhookClient, workerConfig } from '@parley/worker';

import type { Json } from './http.ts';
import { runOnDemand, runRecurring } from './jobs.ts';
import { patient } from './outside.ts';
import type { Person } from './person.ts';
import { record } from './recording.ts';
import { succeed } from './replies.ts';
import { getWorld } from './world.ts';

/** A request that a service got. */
interface WebhookRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (request: WebhookRequest, response: ServerResponse) => void;

/** The service of a bot, on this machine. */
export interface WebhookService extends AsyncDisposable {
  url: string;
  /** All requests, in order. */
  requests: WebhookRequest[];
  /** What it answers; that nothing is to be said, until it is told otherwise. */
  answer: Answer;
  /** Ends it, with all of its connections, until it is started again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A reply with this text as its body. */
export const answering =
  (body: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** A reply of that many megabytes, as far as anybody listens. */
export const answeringMegabytes =
  (megabytes: number): Answer =>
  (_, response) => {
    const part = 'x'.repeat(1024 * 1024);
    let sent = 0;
    const more = (): void => {
      sent += 1;
      if (sent > megabytes) response.end('"}');
      else if (!response.destroyed) response.write(part, more);
    };
    response.writeHead(200).write('{"content": "', more);
  };

export async function startWebhookService(): Promise<WebhookService> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const got = { headers: request.headers, body };
      service.requests.push(got);
      service.answer(got, response);
    });
  });
  let port = 0;
  const service: WebhookService = {
    url: '',
    requests: [],
    answer: answering('{"response_not_required": true}'),
    async stop() {
      const stopped = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await stopped;
    },
    async start() {
      await new Promise<void>((resolve) => server.listen({ port, host: '127.0.0.1' }, resolve));
      // Safe: it listens to a port.
      ({ port } = server.address() as AddressInfo);
    },
    [Symbol.asyncDispose]: () => service.stop(),
  };
  await service.start();
  service.url = `http://127.0.0.1:${port}/hook`;
  return service;
}

/** What a request says, which must be all that the contract says, and nothing else. */
export function payloadOf({ body }: WebhookRequest): WebhookPayload {
  const payload = WebhookPayload.parse(JSON.parse(body));
  const params = { ...payload };
  record(
    { method: 'POST', path: 'the address of a bot', isForQueueNode: false, params, status: 200 },
    { result: 'success' },
  );
  return payload;
}

/** Has somebody make an outgoing-webhook bot with its service at this address. */
export async function createWebhookBot(by: Person, url: string, more: object = {}): Promise<Json> {
  const named = { full_name: 'Helper', short_name: `helper${Math.random()}` };
  const made = await succeed(
    by.post('/bots', { ...named, bot_type: 3, payload_url: JSON.stringify(url), ...more }),
  );
  return { id: made.user_id, ...made };
}

/** A client that may ask services on this machine, and waits for them as long as a test may. */
export const webhookClient = (
  networks = '127.0.0.1',
  timeouts: Parameters<typeof createWebhookClient>[1] = patient,
) => createWebhookClient(workerConfig.WEBHOOK_ALLOWED_NETWORKS.parse(networks), timeouts);

/** Services that all answer the same. */
export const servicesThatAnswer = (status: number, body: string): Outbound => ({
  request: ({ url }) =>
    Promise.resolve({ url, status, header: () => '', bytes: Buffer.from(body), isWhole: true }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

/** Runs what is due for the services of bots, and all that follows, until nothing is. */
export async function runWebhooks(differing: Partial<JobDeps>): Promise<void> {
  const waiting: Job[] = [];
  const queues: JobDeps['queues'] = { enqueue: (job) => waiting.push(job) };
  await runRecurring('sweep-webhooks', { ...differing, queues });
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    await runOnDemand('deliver-webhook', job.id, { ...differing, queues }, job.realmId);
  }
}

/** The ids of deliveries about a message, failed ones too. */
export async function webhookDeliveriesOf(
  { realm }: Pick<Person, 'realm'>,
  messageId: number,
): Promise<number[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ id: string }[]>`
    select id from webhook_deliveries
    where realm_id = ${realm.id} and message_id = ${messageId} order by id`;
  return rows.map(({ id }) => Number(id));
}

/** A message whose delivery has failed, because its bot has a service in a network that is not reached. */
export async function failWebhook(by: Person): Promise<number> {
  const bot = await createWebhookBot(by, 'http://10.0.0.1/', { full_name: `Lost ${Math.random()}` });
  const { id: messageId } = await succeed(
    by.post('/messages', { type: 'direct', to: [bot.id], content: 'is there anybody?' }),
  );
  await using webhooks = webhookClient('');
  const [id = 0] = await webhookDeliveriesOf(by, messageId);
  await runOnDemand('deliver-webhook', id, { webhooks }, by.realm.id);
  return id;
}

/** As if a message could not be passed on to a bot; answers with the id of that failure. */
export async function addWebhookFailure(botId: number, messageId: number): Promise<number> {
  const { sql } = await getWorld();
  const [row] = await sql<{ id: string }[]>`
    insert into webhook_deliveries
      (realm_id, bot_id, message_id, conversation_id, trigger, queued_at, attempts, failed_at, failure)
    select realm_id, ${botId}, id, conversation_id, 'direct_message', sent_at, 1, sent_at, 'nobody was there'
    from messages where realm_id = (select realm_id from users where id = ${botId}) and id = ${messageId}
    returning id`;
  return Number(row?.id);
}
