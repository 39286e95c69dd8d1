import { type InvitationRow, type Tx, tables } from '@parley/db';
import { type Realm, parseEmail, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, limits, mailTimes } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { countSince, lockInvitations } from './count.ts';
import { mailInvitations } from './mail.ts';

const { invitations } = tables;

export interface JoinByLink {
  linkId: number;
  email: string;
  /** The most people of an organization who are mailed so in a day; null for any number. */
  perDayMax: number | null;
  nowMs: number;
}

/**
 * Mails somebody who has an invitation link an invitation to their own address, which shows that it is theirs. It makes
 * no event.
 *
 * @throws NOT_FOUND for a link that does not exist
 * @throws BAD_REQUEST for one that has ended, an address that is invalid or that the realm does not take, or too many
 * mails
 */
export async function joinByLink(
  tx: Tx,
  { realm, linkId, email: raw, perDayMax, nowMs }: { realm: Realm } & JoinByLink,
): Promise<ActionResult> {
  const now = new Date(nowMs);
  const found = await model.invitations.findInvitation(tx, realm, linkId);
  model.invitations.assertPending(found, now);
  const { invitation: link } = found;
  if (link.email !== null) throw new ApiError('NOT_FOUND', 'This invitation link is not valid.');
  const email = parseEmail(raw, 'Enter a valid email address.');
  await model.realmDomains.assertEmailAllowed(
    tx,
    realm.id,
    email,
    await model.permissions.getRules(tx, realm.id),
  );
  await lockInvitations(tx, realm);
  const row = (await findAsked(tx, link, email)) ?? (await insertAsked(tx, link, email, { perDayMax, now }));
  if (row.mails >= limits.mailsPerInvitation) throw tooMany();
  await tx
    .update(invitations)
    .set({ mails: row.mails + 1, expiresAt: expiryAt(nowMs) })
    .where(hasId(invitations, realm, row.id));
  return { events: [], jobs: await mailInvitations(tx, [row], nowMs) };
}
joinByLink.actionName = 'invitations.joinByLink' as const;

const tooMany = () => new ApiError('BAD_REQUEST', 'Too many emails have been requested. Try again tomorrow.');

const expiryAt = (nowMs: number) => new Date(nowMs + mailTimes.confirmationMs);

/** What the address was mailed before because somebody asked by the same link. */
async function findAsked(tx: Tx, link: InvitationRow, email: string): Promise<InvitationRow | undefined> {
  const isSame = and(
    eq(invitations.realmId, link.realmId),
    eq(invitations.linkId, link.id),
    eq(sql`lower(${invitations.email})`, email.toLowerCase()),
    eq(invitations.status, 'pending'),
  );
  const [row] = await tx.select().from(invitations).where(isSame);
  return row;
}

async function insertAsked(
  tx: Tx,
  link: InvitationRow,
  email: string,
  { perDayMax, now }: { perDayMax: number | null; now: Date },
): Promise<InvitationRow> {
  const since = new Date(now.getTime() - mailTimes.limitMs);
  const realm = { id: link.realmId };
  if (perDayMax !== null && (await countSince(tx, realm, since, 'by link')) >= perDayMax) throw tooMany();
  const [row] = await tx
    .insert(invitations)
    .values({
      realmId: link.realmId,
      inviterId: link.inviterId,
      email,
      linkId: link.id,
      role: link.role,
      channelIds: link.channelIds,
      groupIds: link.groupIds,
      includesDefaults: link.includesDefaults,
      welcomeText: link.welcomeText,
      notifiesInviter: false,
      createdAt: now,
      expiresAt: expiryAt(now.getTime()),
    })
    .returning();
  if (!row) throw new Error('An insert returned no row.');
  return row;
}
