import { type Tx, tables } from '@parley/db';
import { parseTextField } from '@parley/model';
import { ApiError, limits } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

export const parseUserGroupDescription = (raw: string) =>
  parseTextField('description', raw, limits.userGroupDescriptionLength, { mayBeEmpty: true });

/**
 * Refuses a name that another group of the realm has, deactivated or not. The caller has locked the groups.
 *
 * @throws BAD_REQUEST for such a name
 */
export async function assertGroupNameIsFree(
  tx: Tx,
  realmId: number,
  name: string,
  groupId = 0,
): Promise<void> {
  const { userGroups } = tables;
  const [other] = await tx
    .select({ id: userGroups.id })
    .from(userGroups)
    .where(and(eq(userGroups.realmId, realmId), eq(sql`lower(${userGroups.name})`, sql`lower(${name})`)));
  if (other && other.id !== groupId) {
    throw new ApiError('BAD_REQUEST', `There is already a user group called '${name}'.`);
  }
}
