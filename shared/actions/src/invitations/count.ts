import { type Tx, tables } from '@parley/db';
import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm';

import { lockName } from '../lock.ts';

const { invitations } = tables;

/** Locks the realm's number of invitations until the end of the transaction. */
export const lockInvitations = (tx: Tx, realm: { id: number }) =>
  lockName(tx, 'list', realm.id, 'invitations');

/** Returns how many people were invited since a time: directly, or because they asked by a link. */
export const countSince = (tx: Tx, realm: { id: number }, since: Date, how: 'direct' | 'by link') =>
  tx.$count(
    invitations,
    and(
      eq(invitations.realmId, realm.id),
      gt(invitations.createdAt, since),
      isNotNull(invitations.email),
      how === 'direct' ? isNull(invitations.linkId) : isNotNull(invitations.linkId),
    ),
  );

/** Returns how many links of a realm wait for people. */
export const countLinks = (tx: Tx, realm: { id: number }) =>
  tx.$count(
    invitations,
    and(eq(invitations.realmId, realm.id), isNull(invitations.email), eq(invitations.status, 'pending')),
  );
