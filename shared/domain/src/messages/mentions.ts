import { type Tx, tables } from '@parley/db';
import { and, eq, inArray, or, sql } from 'drizzle-orm';

import { isId } from '../ids.ts';

/** Whom a text names, before anybody looked who they are. Silent mentions and those in quotes and code name nobody. */
export interface Named {
  people: { name: string; id: number | null }[];
  groups: string[];
  /** `@**all**`, `@**everyone**`, `@**channel**`, `@**stream**`. */
  channel: boolean;
  /** `@**topic**`. */
  topic: boolean;
}

const channelNames = new Set(['all', 'everyone', 'channel', 'stream']);
const mentionsMax = 1000;

/** Whether a text can name anybody at all: most do not, and are sent without asking. */
export const mayMention = (content: string) => content.includes('@*');

/** What is quoted or code is not addressed to anyone. */
function withoutCode(content: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of content.split('\n')) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark) fence = mark;
    else if (!line.startsWith('>')) kept.push(line);
  }
  return withoutSpans(kept.join('\n'));
}

/** Cuts out what stands between two runs of equally many backticks. One pass: a run looks ahead in a table. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const next: (number | undefined)[] = [];
  const seen = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = (runs[at]?.end ?? 0) - (runs[at]?.start ?? 0);
    next[at] = seen.get(length);
    seen.set(length, at);
  }
  let kept = '';
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const closing = next[at];
    if (closing === undefined) continue;
    kept += `${text.slice(from, runs[at]?.start)} `;
    from = runs[closing]?.end ?? from;
    at = closing;
  }
  return kept + text.slice(from);
}

export function findMentions(content: string): Named {
  const named: Named = { people: [], groups: [], channel: false, topic: false };
  if (!mayMention(content)) return named;
  const text = withoutCode(content);
  for (const [, name = ''] of [...text.matchAll(/(?<![\p{L}\p{N}_@])@\*\*([^*\n]+)\*\*/gu)].slice(
    0,
    mentionsMax,
  )) {
    if (channelNames.has(name)) named.channel = true;
    else if (name === 'topic') named.topic = true;
    else {
      const [, bare = name, id] = /^(.*)\|(\d{1,10})$/.exec(name) ?? [];
      named.people.push({ name: bare, id: id === undefined ? null : Number(id) });
    }
  }
  for (const [, name = ''] of [...text.matchAll(/(?<![\p{L}\p{N}_@])@\*([^*\n]+)\*(?!\*)/gu)].slice(
    0,
    mentionsMax,
  )) {
    named.groups.push(name);
  }
  return named;
}

/** The active people of a realm whom the text names, by id where it gives one, else by their full name. */
export async function listMentioned(tx: Tx, realmId: number, { people }: Named) {
  const { users } = tables;
  if (people.length === 0) return [];
  const ids = people.flatMap(({ id }) => (id !== null && isId(id) ? [id] : []));
  const names = people.flatMap(({ id, name }) => (id === null ? [name.toLowerCase()] : []));
  const either = or(
    ids.length > 0 ? inArray(users.id, ids) : undefined,
    names.length > 0 ? inArray(sql`lower(${users.fullName})`, names) : undefined,
  );
  if (!either) return [];
  const found = await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, realmId), users.isActive, either))
    .orderBy(users.id);
  const meant = people.flatMap(({ id, name }) => {
    const same = (user: (typeof found)[number]) => user.fullName.toLowerCase() === name.toLowerCase();
    return (
      found.find((user) => (id === null ? same(user) : user.id === id && (name === '' || same(user)))) ?? []
    );
  });
  return [...new Map(meant.map((user) => [user.id, user])).values()];
}
