import type { Tx, UserRow } from '@parley/db';
import { type Realm, parseFullName } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, limits, roles } from '@parley/protocol';

import { acceptWithoutPassword } from '../invitations/index.ts';
import { lockName } from '../lock.ts';
import { create } from '../users/index.ts';
import { type Subject, link } from './link.ts';

/** Somebody whom another service has identified. */
export interface Identity {
  email: string;
  /** Empty if the service does not say. */
  fullName: string;
}

interface Joining extends Identity {
  realm: Realm;
  /** Whom the service knows by more than an address. */
  subject?: Subject | undefined;
  /** The language of the browser; null if it does not say. */
  language: string | null;
  nowMs: number;
}

/**
 * Returns the account of somebody whom another service has identified. If there is none, it is made: by their
 * invitation, or without one where none is required. A service that has an id of theirs finds it by that from now on.
 *
 * @throws AUTHENTICATION_FAILED for somebody who would need an invitation, and for the account of somebody else
 * @throws BAD_REQUEST for an address that is invalid or that the realm does not take
 */
export async function join(tx: Tx, joining: Joining): Promise<ActionResult & { user: UserRow }> {
  const joined = await findOrMake(tx, joining);
  // Whoever may not sign in to it has not done so.
  const { user } = joined;
  if (joining.subject && user.isActive && user.botType === null) await link(tx, user, joining.subject);
  return joined;
}
join.actionName = 'signIn.join' as const;

async function findOrMake(
  tx: Tx,
  { realm, email, fullName, language, nowMs }: Joining,
): Promise<ActionResult & { user: UserRow }> {
  await lockName(tx, 'email', realm.id, email);
  const user = await model.users.findUserByEmail(tx, realm.id, email);
  if (user) return { events: [], user };
  const account = { email, fullName: nameOf(email, fullName), language };
  const invited = await acceptWithoutPassword(tx, realm, account, nowMs);
  if (invited) return invited;
  if ((await model.permissions.getRules(tx, realm.id)).settings.invite_required) {
    const msg = 'You need an invitation to join this organization.';
    throw new ApiError('AUTHENTICATION_FAILED', msg);
  }
  return await create(tx, { realm, ...account, role: roles.member, welcome: { nowMs } });
}

/** What the service calls somebody, without what no name may contain; else the first part of the address. */
function nameOf(email: string, name: string): string {
  const clean = (text: string) =>
    [
      ...text
        .slice(0, 1000)
        .replaceAll(/[*`\\>"@|]|\p{Cc}|\p{Cs}/gu, ' ')
        .trim(),
    ]
      .slice(0, limits.fullNameLength)
      .join('');
  for (const candidate of [name, email.replace(/@.*$/, '')].map(clean)) {
    try {
      return parseFullName(candidate);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return 'New member';
}
