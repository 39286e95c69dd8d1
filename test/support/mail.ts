import type { AddressInfo } from 'node:net';

import * as model from '@parley/model';
import { createMailer } from '@parley/worker';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

import { type Reply, call } from './http.ts';
import { runOnDemand } from './jobs.ts';
import type { Person } from './person.ts';
import { getWorld } from './world.ts';

export interface Mailbox extends AsyncDisposable {
  /** Address, with user and password, for programs that send. */
  url: string;
  /** All mails that came, as they were sent over the wire. */
  mails(): Promise<Email[]>;
}

/** A real SMTP server, which lets in whoever knows the password. */
export async function startMailbox(): Promise<Mailbox> {
  const received: Buffer[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === 'parley' && password === 'mail';
      done(isKnown ? null : new Error('Wrong password'), isKnown ? { user: username } : undefined);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://parley:mail@127.0.0.1:${port}`,
    mails: () => Promise.all(received.map((mail) => PostalMime.parse(mail))),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The id of the person's request for another email address. */
export async function emailChangeOf({ id }: Person): Promise<number> {
  const { sql } = await getWorld();
  const [row] = await sql`select id from email_changes where user_id = ${id}`;
  if (!row) throw new Error('No change is asked for.');
  return Number(row['id']);
}

/** Sends the mail about the person's new email address, as a worker does. */
export async function sendConfirmation(person: Person, smtpUrl: string) {
  const mailer = createMailer({ smtpUrl, folder: undefined, from: 'Parley <noreply@parley.example>' });
  return await runOnDemand('confirm-email', await emailChangeOf(person), { mailer });
}

/** The path of the link that confirms the person's new email address. */
export async function confirmationPath(person: Person): Promise<string> {
  const { secret } = await getWorld();
  return `${model.emailChanges.emailChangePath}/${model.emailChanges.emailChangeKey(secret, await emailChangeOf(person))}`;
}

/** Confirms a new email address by the path of its link, as somebody in a browser does. */
export async function confirmEmail(
  { realm }: Pick<Person, 'realm'>,
  path: string,
  port?: number,
): Promise<Reply> {
  const { ports } = await getWorld();
  return await call({ port: port ?? ports.api, method: 'POST', path, headers: { Host: realm.host } });
}

/** The key in a mail with which the person sets a new password. */
export async function resetKeyOf({ id }: Person): Promise<string> {
  const { engine, secret } = await getWorld();
  const user = await engine.db.query.users.findFirst({ where: (one, { eq }) => eq(one.id, id) });
  if (!user) throw new Error('The account does not exist.');
  return model.users.passwordResetKey(secret, user, Date.now() + 3_600_000);
}

/** The ids of the mails that wait to be sent to an address. */
export async function mailsTo(recipient: string): Promise<number[]> {
  const { sql } = await getWorld();
  const rows = await sql<{ id: number }[]>`select id from mails where recipient = ${recipient} order by id`;
  return rows.map(({ id }) => Number(id));
}

/** Sends the mails that wait for an address, as a worker does; answers with their number. */
export async function sendMails(recipient: string, smtpUrl: string): Promise<number> {
  const mailer = createMailer({ smtpUrl, folder: undefined, from: 'Parley <noreply@parley.example>' });
  const ids = await mailsTo(recipient);
  for (const id of ids) await runOnDemand('send-mail', id, { mailer });
  return ids.length;
}

/** What somebody who has a mail about missed messages does at the address that ends them. */
export async function askUnsubscribe(
  { id, realm }: Pick<Person, 'id' | 'realm'>,
  method: 'GET' | 'POST',
  change = (path: string) => path,
): Promise<Reply> {
  const { ports, secret } = await getWorld();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return await call({
    port: ports.api,
    method,
    path: change(new URL(model.notifications.unsubscribeUrl(secret, realm, id)).pathname),
    headers: { Host: realm.host, ...(method === 'POST' && form) },
    ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
  });
}
