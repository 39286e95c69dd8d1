import { tables, type Tx } from '@parley/db';
import type { ProfileValue } from '@parley/protocol';
import { eq, and } from 'drizzle-orm';

import { isAmong } from '../ids.ts';

const { customProfileValues } = tables;

/** Profiles by user id. A profile is the user's values by field id. */
export type Profiles = ReadonlyMap<number, Record<string, ProfileValue>>;

/** Returns the profiles of the given users, or of everyone, in one query. Users with empty profiles are left out. */
export async function listProfiles(tx: Tx, realmId: number, userIds: number[] | null): Promise<Profiles> {
  const rows = await tx
    .select()
    .from(customProfileValues)
    .where(
      and(
        eq(customProfileValues.realmId, realmId),
        userIds ? isAmong(customProfileValues.userId, [0, ...userIds]) : undefined,
      ),
    );
  const profiles = new Map<number, Record<string, ProfileValue>>();
  for (const row of rows) {
    const profile = profiles.get(row.userId) ?? {};
    profile[row.fieldId] = presentProfileValue(row);
    profiles.set(row.userId, profile);
  }
  return profiles;
}

type ValueRow = Pick<typeof customProfileValues.$inferSelect, 'value' | 'renderedValue'>;

export const presentProfileValue = ({ value, renderedValue }: ValueRow): ProfileValue => ({
  value,
  ...(renderedValue !== null && { rendered_value: renderedValue }),
});
