import { Pool } from 'undici';

import { type Rates, type RequestKind, requestKinds } from '../kinds.ts';
import type { Channel } from '../organizations.ts';
import { preciseNowMs } from '../recorder.ts';
import type { AskedSend, Orders } from './messages.ts';
import { openLoop } from './open-loop.ts';
import type { Person, Place } from './person.ts';
import { textAt } from './poller.ts';

const connectionsMax = 128;
/** More are not asked for: they count as failed. */
const underwayMax = 500;
const answerMsMax = 30_000;
const rememberedMax = 1000;
const topics = 5;

/** Requests besides polls, of anyone. */
export interface Requests {
  /** Somebody has a message that they may mark as read. */
  remember(person: Person, messageId: number): void;
  begin(rates: Rates, startMs: number): void;
  /** Resolves when everything that was asked is answered. */
  stop(): Promise<void>;
  readonly sends: AskedSend[];
  readonly acknowledged: number;
}

interface Ask {
  person: Person;
  method: 'GET' | 'POST';
  path: string;
  fields?: Record<string, string>;
}

interface Answer {
  status: number;
  text: string;
}

export function createRequests(orders: Orders, { port, address, recorder }: Place): Requests {
  const { organizations, files, hasOneSender } = orders;
  const pool = new Pool(`http://127.0.0.1:${port}`, {
    connections: connectionsMax,
    localAddress: address,
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
  });
  const remembered: { person: Person; messageId: number }[] = [];
  const sends: AskedSend[] = [];
  const underway = new Set<Promise<void>>();
  let loops: Disposable[] = [];
  let [turn, acknowledged] = [0, 0];

  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(Math.random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  };
  const personOf = (organization: number, account: number): Person => {
    const { host, accounts } = organizations[organization] ?? { host: '', accounts: [] };
    const { id, authorization } = accounts[account] ?? pick(accounts);
    return { organization, id, authorization, host };
  };
  const anyPoller = () => {
    const { organization, account } = pick(orders.pollers);
    return personOf(organization, account);
  };
  const weights = organizations.map(({ channels }) => channels.reduce((sum, { weight }) => sum + weight, 0));

  /** A channel, by how often messages are sent to it, and one of its members. */
  function place(): { person: Person; channel: Channel } {
    const organization = Math.floor(Math.random() * organizations.length);
    const { channels } = organizations[organization] ?? { channels: [] };
    let rest = Math.random() * (weights[organization] ?? 0);
    const channel = channels.find(({ weight }) => (rest -= weight) < 0) ?? pick(channels);
    return { channel, person: personOf(organization, hasOneSender ? 0 : pick(channel.members)) };
  }

  const asks: Record<RequestKind, (intendedMs: number) => Ask> = {
    presence: () => ({
      person: anyPoller(),
      method: 'POST',
      path: '/users/me/presence',
      fields: { status: 'active', ping_only: 'true' },
    }),
    uploads() {
      const { organization, account, path } = pick(files);
      return { person: personOf(organization, account), method: 'GET', path };
    },
    messages() {
      const { person, channel } = place();
      const narrow = JSON.stringify([['channel', channel.name]]);
      const fields = { anchor: 'newest', num_before: '50', num_after: '0', apply_markdown: 'true', narrow };
      return { person, method: 'GET', path: '/messages', fields };
    },
    flags() {
      const { person, messageId } =
        remembered.length > 0 ? pick(remembered) : { person: anyPoller(), messageId: null };
      const fields = {
        messages: JSON.stringify(messageId === null ? [] : [messageId]),
        op: 'add',
        flag: 'read',
      };
      return { person, method: 'POST', path: '/messages/flags', fields };
    },
    send(intendedMs) {
      const { person, channel } = place();
      const topic = `topic ${Math.floor(Math.random() * topics)}`;
      const content = textAt(intendedMs);
      return {
        person,
        method: 'POST',
        path: '/messages',
        fields: { type: 'channel', to: String(channel.id), topic, content },
      };
    },
    register: () => ({
      person: anyPoller(),
      method: 'POST',
      path: '/register',
      fields: { apply_markdown: 'true', client_gravatar: 'true' },
    }),
    properties() {
      const { person, channel } = place();
      const change = { stream_id: channel.id, property: 'color', value: '#c2c2c2' };
      const fields = { subscription_data: JSON.stringify([change]) };
      return { person, method: 'POST', path: '/users/me/subscriptions/properties', fields };
    },
  };

  async function ask({ person, method, path, fields = {} }: Ask): Promise<Answer> {
    const form = new URLSearchParams(fields).toString();
    const isGet = method === 'GET';
    const { statusCode, body } = await pool.request({
      method,
      path: isGet ? `/api/v1${path}?${form}` : `/api/v1${path}`,
      headers: {
        host: person.host,
        authorization: person.authorization,
        ...(!isGet && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(!isGet && { body: form }),
    });
    return { status: statusCode, text: await body.text() };
  }

  async function open({ host }: Person, reply: string): Promise<Answer> {
    const { url } = JSON.parse(reply) as { url: string };
    const { statusCode, body } = await pool.request({ method: 'GET', path: url, headers: { host } });
    return { status: statusCode, text: await body.text() };
  }

  async function act(kind: RequestKind, intendedMs: number): Promise<void> {
    const asked = asks[kind](intendedMs);
    const send: AskedSend | null =
      kind === 'send'
        ? {
            organization: asked.person.organization,
            localId: `${orders.number}.${(turn += 1)}`,
            messageId: null,
            slowestAnswerMs: 0,
          }
        : null;
    if (send) {
      sends.push(send);
      asked.fields = { ...asked.fields, queue_id: 'load', local_id: send.localId };
    }
    try {
      let { status, text } = await ask(asked);
      // The answer is an address at which the file is.
      if (kind === 'uploads' && status === 200) ({ status, text } = await open(asked.person, text));
      if (send) send.slowestAnswerMs = preciseNowMs() - intendedMs;
      if (status !== 200) return recorder.fail(`${kind}: ${status} ${text.slice(0, 120)}`);
      recorder.record(kind, intendedMs);
      if (!send) return;
      send.messageId = Number((JSON.parse(text) as { id: number }).id);
      acknowledged += 1;
    } catch (error) {
      recorder.fail(
        `${kind}: ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}`,
      );
    }
  }

  return {
    sends,
    get acknowledged() {
      return acknowledged;
    },
    remember(person, messageId) {
      const index = Math.floor(Math.random() * Math.min(remembered.length + 1, rememberedMax));
      remembered[index] = { person, messageId };
    },
    begin(rates, startMs) {
      loops = requestKinds.map((kind) =>
        openLoop(rates[kind] ?? 0, startMs, preciseNowMs, (intendedMs) => {
          if (underway.size >= underwayMax) return recorder.fail(`${kind}: not asked, ${underwayMax} wait`);
          const acting = act(kind, intendedMs);
          underway.add(acting);
          void acting.finally(() => underway.delete(acting));
        }),
      );
    },
    async stop() {
      for (const loop of loops) loop[Symbol.dispose]();
      await Promise.all(underway);
    },
  };
}
