import type { DemoUser } from '@parley/infra';

import { type Json, call, encode } from '../support/http.ts';
import type { Seen } from './seen.ts';

/** An account of the organization, by the API. */
export interface Account {
  call: (method: string, path: string, params?: Record<string, unknown>) => Promise<Json>;
  /** What a link leads to. */
  download: (link: string) => Promise<string>;
}

export function accountOf(
  site: string,
  { email, api_key: key }: Pick<DemoUser, 'email' | 'api_key'>,
): Account {
  const { host, port } = new URL(site);
  const basic = { Host: host, Authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
  const to = { port: Number(port), headers: basic };
  return {
    async call(method, path, params = {}) {
      const encoded = encode(params);
      const url = `/api/v1${path}`;
      const form = { ...basic, 'Content-Type': 'application/x-www-form-urlencoded' };
      const { body } = await (method === 'GET'
        ? call({ ...to, method, path: `${url}?${encoded}` })
        : call({ ...to, method, path: url, headers: form, body: encoded }));
      if (body?.result !== 'success')
        throw new Error(`${method} ${path} was answered ${JSON.stringify(body)}`);
      return body;
    },
    async download(link) {
      const { status, text } = await call({ ...to, method: 'GET', path: link });
      return status === 200 ? text : '';
    },
  };
}

/** What an account sees of what another did in a topic, and wrote to it. */
export async function look(
  witness: Account,
  at: { channel: string; topic: string; userId: number },
): Promise<Omit<Seen, 'said'>> {
  const read = async (narrow: object[]) => {
    const found = await witness.call('GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
      narrow,
    });
    return found.messages as Seen['topic'];
  };
  const topic = await read([
    { operator: 'channel', operand: at.channel },
    { operator: 'topic', operand: at.topic },
  ]);
  const direct = await read([
    { operator: 'is', operand: 'dm' },
    { operator: 'sender', operand: at.userId },
  ]);
  const link = topic.map(({ content }) => /\((\/user_uploads\/[^)]+)\)/.exec(content)?.[1]).find(Boolean);
  return { topic, direct, linked: link === undefined ? '' : await witness.download(link) };
}
