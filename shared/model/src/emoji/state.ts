import { tables, type Tx } from '@parley/db';
import type { RealmEmoji } from '@parley/protocol';
import { eq } from 'drizzle-orm';

const { realmEmoji } = tables;

type Row = typeof realmEmoji.$inferSelect;

/**
 * Returns `realm_emoji` of POST /register and of its event: custom emoji by id. Deactivated ones are included, because
 * old reactions still show them.
 */
export async function emojiState(tx: Tx, realmId: number): Promise<Record<string, RealmEmoji>> {
  const rows = await tx
    .select()
    .from(realmEmoji)
    .where(eq(realmEmoji.realmId, realmId))
    .orderBy(realmEmoji.id);
  return Object.fromEntries(rows.map((row) => [row.id, present(row)]));
}

const present = ({ id, realmId, name, path, stillPath, isDeactivated, authorId }: Row): RealmEmoji => ({
  id: String(id),
  name,
  source_url: emojiUrl(realmId, path),
  still_url: stillPath === null ? null : emojiUrl(realmId, stillPath),
  deactivated: isDeactivated,
  author_id: authorId,
});

export const emojiUrl = (realmId: number, path: string) => `/user_avatars/${realmId}/emoji/images/${path}`;
