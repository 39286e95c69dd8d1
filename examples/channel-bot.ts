/*
 * A bot that decides for a channel: whoever writes "!choose tea, coffee" is answered with one of the two.
 *
 *   SITE=http://127.0.0.1:9991 EMAIL=… API_KEY=… CHANNEL=general node examples/channel-bot.ts
 *
 * Node 22.18 or newer runs it as it is. On Node 20: npm run types && node examples/dist/channel-bot.js
 * It needs nothing besides Node. README.md says where its account comes from.
 */
const { SITE = '', EMAIL = '', API_KEY = '', CHANNEL = 'general' } = process.env;
const authorization = `Basic ${Buffer.from(`${EMAIL}:${API_KEY}`).toString('base64')}`;

interface Message {
  id: number;
  subject: string;
  sender_email: string;
  content: string;
}

interface Reply {
  result: 'success' | 'error';
  msg: string;
  code?: string;
}

interface Registration extends Reply {
  queue_id: string;
  last_event_id: number;
}

interface Events extends Reply {
  events?: { id: number; type: string; message?: Message }[];
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Asks until there is an answer: the server may be full, replaced, or out of reach for a moment. */
async function call<Answer extends Reply = Reply>(
  method: 'GET' | 'POST',
  path: string,
  params: Record<string, string>,
): Promise<Answer> {
  const form = new URLSearchParams(params);
  const url = `${SITE}/api/v1${path}${method === 'GET' ? `?${form.toString()}` : ''}`;
  for (;;) {
    try {
      const response = await fetch(url, {
        method,
        headers: { authorization },
        ...(method === 'POST' && { body: form }),
        signal: AbortSignal.timeout(90_000),
      });
      // Safe: the server describes its answers at /api/docs.
      if (![429, 502, 503].includes(response.status)) return (await response.json()) as Answer;
      await pause(Number(response.headers.get('retry-after') ?? 1));
    } catch {
      await pause(1);
    }
  }
}

/** What to answer to a text; null if it is not for the bot. */
function choose(text: string): string | null {
  const [, list = ''] = /^!choose\s+([\s\S]+)$/.exec(text) ?? [];
  const options = list
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '');
  return options[Math.floor(Math.random() * options.length)] ?? null;
}

async function register(): Promise<Registration> {
  const queue = await call<Registration>('POST', '/register', {
    event_types: '["message"]',
    narrow: JSON.stringify([['channel', CHANNEL]]),
    apply_markdown: 'false',
  });
  if (queue.result === 'error') throw new Error(queue.msg);
  return queue;
}

const joined = await call('POST', '/users/me/subscriptions', {
  subscriptions: JSON.stringify([{ name: CHANNEL }]),
});
if (joined.result === 'error') throw new Error(joined.msg);

let queue = await register();
process.stdout.write(`Listening in #${CHANNEL}.\n`);
for (;;) {
  const { queue_id, last_event_id } = queue;
  const answer = await call<Events>('GET', '/events', { queue_id, last_event_id: String(last_event_id) });
  // The bot was away for ten minutes, and its queue is gone.
  if (answer.code === 'BAD_EVENT_QUEUE_ID') queue = await register();
  else if (!answer.events) throw new Error(answer.msg);
  for (const { id, message } of answer.events ?? []) {
    // This acknowledges the event. A reply that was lost comes again, with the same ids.
    queue.last_event_id = id;
    const content = message && message.sender_email !== EMAIL ? choose(message.content) : null;
    if (!message || content === null) continue;
    await call('POST', '/messages', {
      type: 'channel',
      to: JSON.stringify(CHANNEL),
      topic: message.subject,
      content,
      // With these two, a send that is repeated remains one message.
      queue_id,
      local_id: String(message.id),
    });
  }
}
