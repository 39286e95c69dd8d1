import * as model from '@parley/model';

import { type Params, type Reply, call, encode } from './http.ts';
import { getWorld } from './world.ts';

interface Home {
  host: string;
}

/** The key in the newest invitation of an address. */
export async function invitationKeyOf(email: string): Promise<string> {
  const { sql, secret } = await getWorld();
  const [row] = await sql`select id from invitations where email = ${email} order by id desc limit 1`;
  if (!row) throw new Error(`Nobody has invited ${email}.`);
  return model.invitations.invitationKey(secret, Number(row['id']));
}

interface Differing {
  port?: number;
  /** `text/html` for a person in a browser. */
  accept?: string;
}

/** What somebody without an account does on the page of an invitation. */
export async function askJoin(
  { host }: Home,
  method: string,
  key: string,
  params: Params = {},
  { port, accept = 'application/json' }: Differing = {},
): Promise<Reply> {
  const { ports } = await getWorld();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return await call({
    port: port ?? ports.api,
    method,
    path: `/join/${key}/`,
    headers: { Host: host, Accept: accept, ...(method === 'POST' && form) },
    ...(method === 'POST' && { body: encode(params) }),
  });
}

const password = 'correct horse battery staple';

/** Accepts an invitation; answers with the account's id and key. */
export async function acceptInvitation(home: Home, key: string, name: string) {
  const { status, body, text } = await askJoin(home, 'POST', key, { full_name: name, password });
  if (status !== 200) throw new Error(text);
  return body as { api_key: string; email: string; user_id: number };
}

/** Asks for an invitation by a link. */
export async function joinByLink(home: Home, link: string, email: string): Promise<void> {
  const [, key = ''] = /\/join\/(.+)\/$/.exec(link) ?? [];
  const { status, text } = await askJoin(home, 'POST', key, { email });
  if (status !== 200) throw new Error(text);
}
