import type { UserRow } from '@parley/db';

/** Highest role number that may see an address, by the visibility its owner chose (reference/endpoints.md 9). */
const roleMaxByVisibility: Record<number, number> = { 1: 600, 2: 400, 3: 200, 4: 0, 5: 300 };

export interface Viewer {
  id: number;
  role: number;
}

type EmailOwner = Pick<UserRow, 'emailVisibility' | 'botType'>;

/** Highest role number that may see a user's real address. Those of bots are everyone's to know. */
export const emailVisibleUpToRole = ({ botType, emailVisibility }: EmailOwner) =>
  botType === null ? (roleMaxByVisibility[emailVisibility] ?? 0) : 600;

export const maySeeEmail = (viewer: Viewer, user: EmailOwner & { id: number }) =>
  viewer.id === user.id || viewer.role <= emailVisibleUpToRole(user);
