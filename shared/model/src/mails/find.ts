import { type Tx, tables } from '@parley/db';
import { type MailContent, fullRealmSettings } from '@parley/protocol';
import { and, eq, gt, sql } from 'drizzle-orm';

import type { Realm } from '../actor.ts';
import { dueByRealm } from '../due-by-realm.ts';
import { type SweptRealms, hasId } from '../ids.ts';
import { type Site, realmAt } from '../realms/site.ts';

const { mails, realms } = tables;

/** A mail that waits to be sent. */
export interface WaitingMail {
  realm: Realm;
  realmName: string;
  /** The language of the organization, for whoever has no account. */
  realmLanguage: string;
  recipient: string;
  content: MailContent;
  /** Until when it is worth sending. */
  expiresAt: Date;
}

/** Returns a mail by its id; undefined if it is sent, or too old to be sent. */
export async function findMail(
  tx: Tx,
  site: Site,
  { realmId, id }: { realmId: number; id: number },
  now: Date,
): Promise<WaitingMail | undefined> {
  const [row] = await tx
    .select({ mail: mails, realm: realms })
    .from(mails)
    .innerJoin(realms, eq(realms.id, mails.realmId))
    .where(and(hasId(mails, { id: realmId }, id), gt(mails.expiresAt, now), realms.isActive));
  const realm = row && realmAt(row.realm, site);
  if (!realm) return undefined;
  const { recipient, content, expiresAt } = row.mail;
  return {
    realm,
    realmName: row.realm.displayName,
    realmLanguage: fullRealmSettings(row.realm.settings).default_language,
    recipient,
    content,
    expiresAt,
  };
}

/** Returns mails that are due; realms take turns. */
export async function listDueMails(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<{ id: number; realmId: number }[]> {
  const due = dueByRealm({ table: sql`mails`, dueAt: sql`due_at`, now, realmIds, limit });
  const rows = await tx.execute<{ id: string; realm_id: number }>(
    sql`select id, realm_id from ${due} due order by place, id`,
  );
  return rows.map((row) => ({ id: Number(row.id), realmId: row.realm_id }));
}
