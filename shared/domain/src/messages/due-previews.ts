import { type Tx, tables } from '@parley/db';
import { ApiError, pageTimes } from '@parley/protocol';
import { and, asc, eq, isNotNull, lt } from 'drizzle-orm';

import { type Actor, type Realm, actorOf } from '../actor.ts';
import { getRules } from '../realms/rules.ts';
import { type Site, realmAt } from '../realms/site.ts';
import { getOptions } from '../texts/options.ts';
import { read } from '../texts/render.ts';

const { messages, realms, users } = tables;

/** A message whose links wait to be looked at. */
export interface DuePreviews {
  realm: Realm;
  content: string;
  /** Links whose pages may be shown below it. */
  pages: string[];
}

export async function findDuePreviews(tx: Tx, site: Site, id: number): Promise<DuePreviews | undefined> {
  const [row] = await tx
    .select({ content: messages.content, realm: realms, sender: users })
    .from(messages)
    .innerJoin(realms, eq(realms.id, messages.realmId))
    .innerJoin(users, eq(users.id, messages.senderId))
    .where(and(eq(messages.id, id), isNotNull(messages.previewsDueAt)));
  const realm = row && realmAt(row.realm, site);
  if (!realm) return undefined;
  return { realm, content: row.content, pages: await listPages(tx, actorOf(row.sender, realm), row.content) };
}

/** None of a text that could not be shown any more. */
async function listPages(tx: Tx, sender: Actor, content: string): Promise<string[]> {
  const options = await getOptions(tx, sender, await getRules(tx, sender.realm.id));
  try {
    return read(content, options).pages;
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** Messages of all realms whose links have waited since `before`, the longest first. */
export async function listDuePreviews(tx: Tx, before: Date, limit: number): Promise<number[]> {
  const rows = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(lt(messages.previewsDueAt, before))
    .orderBy(asc(messages.previewsDueAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Leaves messages as they are whose links nobody could look at for a day. */
export async function giveUpPreviews(tx: Tx, now: Date): Promise<void> {
  await tx
    .update(messages)
    .set({ previewsDueAt: null })
    .where(lt(messages.previewsDueAt, new Date(now.getTime() - pageTimes.dueMs)));
}
