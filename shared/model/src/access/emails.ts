import type { UserRow } from '@parley/db';
import { roles } from '@parley/protocol';

import { emailVisibilities } from '../email-visibility.ts';

/** The highest role number that may see an email address, by the visibility that its owner chose. */
const roleMaxByVisibility: Record<number, number> = {
  [emailVisibilities.everyone]: roles.guest,
  [emailVisibilities.members]: roles.member,
  [emailVisibilities.administrators]: roles.administrator,
  [emailVisibilities.nobody]: 0,
  [emailVisibilities.moderators]: roles.moderator,
};

export interface Viewer {
  id: number;
  role: number;
}

export type EmailOwner = Pick<UserRow, 'id' | 'emailVisibility' | 'botType'>;

/** Returns the highest role number that may see a user's real email address. Everyone may see those of bots. */
export const emailVisibleUpToRole = ({ botType, emailVisibility }: EmailOwner) =>
  botType === null ? (roleMaxByVisibility[emailVisibility] ?? 0) : roles.guest;

export const maySeeEmail = (viewer: Viewer, user: EmailOwner) =>
  viewer.id === user.id || viewer.role <= emailVisibleUpToRole(user);
