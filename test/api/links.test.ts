import { describe, expect, test } from 'vitest';

import {
  type Params,
  type Person,
  type TestRealm,
  basic,
  call,
  encode,
  getWorld,
  mailsTo,
  realm,
  runOnDemand,
  startMailbox,
  succeed,
} from '../support/index.ts';

const password = 'correct horse battery staple';

interface Kind {
  /** Asks for a link, from whatever host, and returns the address that its mail goes to. */
  ask(home: TestRealm, by: Person, headers: Record<string, string>): Promise<string>;
  job: string;
  /** What the page's form sends. */
  form: Params;
  /** What the link answers when it has served; the same again where it always serves. */
  again: number;
  validMs: number | null;
}

const emailChangeIdOf = async ({ id }: Person) => {
  const { sql } = await getWorld();
  const [row] = await sql`select id from email_changes where user_id = ${id}`;
  return Number(row?.['id']);
};

const post = async (
  { email, apiKey }: Person,
  path: string,
  params: Params,
  headers: Record<string, string>,
) => {
  const { ports } = await getWorld();
  const method = path === '/settings' ? 'PATCH' : 'POST';
  const form = { Authorization: basic(email, apiKey), 'Content-Type': 'application/x-www-form-urlencoded' };
  const sent = { port: ports.api, method, path: `/api/v1${path}`, body: encode(params) };
  await succeed(call({ ...sent, headers: { ...form, ...headers } }).then(({ body }) => body));
};

/** Every kind of link that is mailed. */
const kinds: Record<string, Kind> = {
  'for a new email address': {
    async ask(_, by, headers) {
      await post(by, '/settings', { email: `${by.id}@new.example` }, headers);
      return `${by.id}@new.example`;
    },
    job: 'confirm-email',
    form: {},
    again: 404,
    validMs: 86_400_000,
  },
  'of an invitation': {
    async ask({ owner }, by, headers) {
      const email = `${by.id}@invited.example`;
      const invitation = { invitee_emails: email, stream_ids: [], invite_expires_in_minutes: 60 };
      await post(owner, '/invites', invitation, headers);
      return email;
    },
    job: 'send-mail',
    form: { full_name: 'Nora Newcomer', password },
    again: 400,
    validMs: 3_600_000,
  },
  'for a forgotten password': {
    async ask(_, by, headers) {
      const { ports } = await getWorld();
      const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
      const asking = { port: ports.api, method: 'POST', path: '/accounts/password/reset/', headers: form };
      expect((await call({ ...asking, body: encode({ email: by.email }) })).status).toBe(200);
      return by.email;
    },
    job: 'reset-password',
    form: { password },
    again: 404,
    validMs: 3_600_000,
  },
};

/** Asks for a link and reads the mail with it. */
async function linkOf(kind: Kind, home: TestRealm, by: Person, headers = {}): Promise<string> {
  const email = await kind.ask(home, by, { Host: home.realm.host, ...headers });
  await using mailbox = await startMailbox();
  const { createMailer } = await import('@parley/worker');
  const mailer = createMailer({ smtpUrl: mailbox.url, folder: undefined, from: 'noreply@parley.example' });
  const ids = kind.job === 'confirm-email' ? [await emailChangeIdOf(by)] : await mailsTo(email);
  for (const id of ids) await runOnDemand(kind.job, id, { mailer });
  const mails = await mailbox.mails();
  const text = mails.find(({ to }) => to?.[0]?.address === email)?.text ?? '';
  expect(text, 'no other host is named').not.toMatch(/evil|:6666/);
  const link = [...text.matchAll(/https?:\/\/[^\s)]+\.[^\s)]+/g)]
    .map(([url]) => url)
    .find((url) => url.length > 80);
  return link ?? '';
}

async function open(host: string, link: string, method: string, form: Params = {}, port?: number) {
  const { ports } = await getWorld();
  const isPost = method === 'POST';
  return await call({
    port: port ?? ports.api,
    method,
    path: new URL(link).pathname,
    headers: { Host: host, ...(isPost && { 'Content-Type': 'application/x-www-form-urlencoded' }) },
    ...(isPost && { body: encode(form) }),
  });
}

describe.each(Object.entries(kinds))('the link %s', (_, kind) => {
  test('serves once, however often programs look at it before', async () => {
    const home = await realm();
    const link = await linkOf(kind, home, home.alice);
    const { host } = home.realm;
    for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
      expect((await open(host, link, method)).status, method).toBe(200);
    }
    const served = await open(host, link, 'POST', kind.form);
    expect(served.status, served.text).toBe(200);
    expect((await open(host, link, 'POST', kind.form)).status).toBe(kind.again);
    expect((await open(host, link, 'GET')).status).toBe(kind.again);
  });

  test('is at the configured address, whatever host was asked', async () => {
    const home = await realm();
    const { host, url } = home.realm;
    const forged = {
      Host: `${host}:6666`,
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
    };
    expect((await linkOf(kind, home, home.bob, forged)).startsWith(`${url}/`)).toBe(true);
  });

  test('serves in no other organization, and changes nothing there', async () => {
    const [home, elsewhere] = [await realm(), await realm()];
    const link = await linkOf(kind, home, home.alice);
    for (const method of ['GET', 'POST']) {
      expect((await open(elsewhere.realm.host, link, method, kind.form)).status, method).toBe(404);
    }
    expect((await open(home.realm.host, link, 'POST', kind.form)).status).toBe(200);
  });

  test('serves to nobody who changes it', async () => {
    const home = await realm();
    const link = await linkOf(kind, home, home.alice);
    const key = link.split('/').at(-1) || (link.split('/').at(-2) ?? '');
    const parts = key.split('.');
    const changed = parts.map((part, index) =>
      parts
        .with(
          index,
          part.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
        )
        .join('.'),
    );
    for (const other of [...changed, `${key}x`, key.slice(0, -1), '1', `${parts[0]}.`]) {
      for (const method of ['GET', 'POST']) {
        const reply = await open(home.realm.host, link.replace(key, other), method, kind.form);
        expect(reply.status, `${method} ${other}`).toBe(404);
      }
    }
  });

  test('serves for its time', async () => {
    const home = await realm();
    const { startApi } = await getWorld();
    const { host } = home.realm;
    const link = await linkOf(kind, home, home.alice);
    const lateMs = kind.validMs ?? 0;
    await using late = await startApi({ clock: { nowMs: () => Date.now() + lateMs + 1000 } });
    for (const method of ['GET', 'POST']) {
      expect((await open(host, link, method, kind.form, late.port)).status, method).toBe(kind.again);
    }
    await using soon = await startApi({ clock: { nowMs: () => Date.now() + lateMs - 60_000 } });
    expect((await open(host, link, 'POST', kind.form, soon.port)).status).toBe(200);
  });
});
