import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { LanguageTag } from '@parley/strings';
import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  language: LanguageTag;
  subject: string;
  text: string;
  html?: string;
  /** The Message-ID, of a mail that may be sent twice. */
  messageId?: string;
  /** The Message-ID that all mails of a conversation refer to. */
  thread?: string;
  /** The address at which such mails are ended: in a browser, or by a program that posts to it. */
  unsubscribeUrl?: string;
}

export interface Mailer {
  /** Whether there is an SMTP server, or a folder. */
  isAvailable: boolean;
  /** Hands a mail over to the SMTP server, or writes it into the mailbox folder. Rejects if neither can be done. */
  send(mail: Mail): Promise<void>;
}

interface MailerOptions {
  /** An SMTP server, with user and password if it wants them. */
  smtpUrl: string | undefined;
  /** Where mails are written as `.eml` files if there is no SMTP server. */
  folder: string | undefined;
  from: string;
}

const timeoutMs = 10_000;
/** Mails contain what users chose: no file and no page is ever fetched for one. */
const closed = { disableFileAccess: true, disableUrlAccess: true };

export function createMailer({ smtpUrl, folder, from }: MailerOptions): Mailer {
  if (smtpUrl !== undefined) {
    const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
    const smtp = createTransport({ url: smtpUrl, ...timeouts });
    return {
      isAvailable: true,
      async send(mail) {
        await smtp.sendMail({ ...asSent(mail), ...closed, from });
      },
    };
  }
  if (folder === undefined) {
    return {
      isAvailable: false,
      send: () => Promise.reject(new Error('SMTP_URL is not set, so mail cannot be sent.')),
    };
  }
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    isAvailable: true,
    async send(mail) {
      const { message } = await composer.sendMail({ ...asSent(mail), ...closed, from });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replaceAll(':', '.')}-${randomUUID().slice(0, 8)}.eml`;
      await writeFile(join(folder, name), message, { mode: 0o600 });
    },
  };
}

const asSent = ({ language, thread, unsubscribeUrl, ...mail }: Mail) => ({
  ...mail,
  ...(thread !== undefined && { inReplyTo: thread, references: thread }),
  headers: {
    'Content-Language': language,
    ...(unsubscribeUrl !== undefined && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      // Nobody is away from this: programs do not answer it.
      'Auto-Submitted': 'auto-generated',
    }),
  },
});
