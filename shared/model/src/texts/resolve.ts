import { type UserRow, type Tx, type AttachmentRow, tables } from '@parley/db';
import { type Resolved, nothingResolved, type References, type UploadFacts } from '@parley/markdown';
import { or, inArray, sql, and, eq } from 'drizzle-orm';

import { maySeeChannel, mayReadChannel } from '../access/channel-permissions.ts';
import type { ChannelAccess } from '../access/channel-permissions.ts';
import { listNamedChannels } from '../access/channels.ts';
import { filterAccessible } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { toUploadPathId } from '../attachments/upload-path.ts';
import { isId } from '../ids.ts';
import type { Rules } from '../permissions/rules.ts';

/** What a text names, as its author may know it. */
export interface ResolvedText {
  resolved: Resolved;
  /** The rows of the users. */
  people: UserRow[];
}

export const emptyText: ResolvedText = { resolved: nothingResolved, people: [] };

export interface TextAuthor {
  actor: Actor;
  /** True of the server itself, which may name whatever there is. */
  seesAll: boolean;
}

/** Looks up all that a text names at once, but for pages; of its uploads, `uploads` are those that the author may read. */
export async function resolveTextReferences(
  tx: Tx,
  author: TextAuthor,
  rules: Rules,
  references: References,
  uploads: readonly AttachmentRow[],
): Promise<ResolvedText> {
  const { actor, seesAll } = author;
  const channelNames = [...references.channels, ...references.topics.map(({ channel }) => channel)];
  // Sent together: one round trip.
  const [named, accesses] = await Promise.all([
    listNamedUsers(tx, actor, references.users),
    listNamedChannels(tx, actor, channelNames),
  ]);
  const people = seesAll ? named : await filterAccessible(tx, actor, named);
  const visible = accesses.filter((access) => seesAll || maySeeChannel(actor, access, rules));
  const readable = visible.filter((access) => seesAll || mayReadChannel(actor, access, rules));
  return {
    people,
    resolved: {
      users: people.map(({ id, fullName: name, isActive }) => ({ id, name, isActive })),
      groups: resolveGroups(rules, references.groups),
      channels: visible.map(({ channel: { id, name } }) => ({ id, name })),
      topics: await resolveTopics(tx, actor, readable, references.topics),
      uploads: presentUploads(references.uploads, uploads),
      pages: new Map(),
    },
  };
}

/** Of several of one name the last one is meant. */
async function listNamedUsers(tx: Tx, { realm }: Actor, wanted: References['users']): Promise<UserRow[]> {
  const { users } = tables;
  const ids = wanted.flatMap(({ id }) => (id !== null && isId(id) ? [id] : []));
  const names = wanted.flatMap(({ id, name }) => (id === null ? [name.toLowerCase()] : []));
  const either = or(
    ids.length > 0 ? inArray(users.id, ids) : undefined,
    names.length > 0 ? inArray(sql`lower(${users.fullName})`, names) : undefined,
  );
  if (!either) return [];
  return await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, realm.id), either))
    .orderBy(users.id);
}

/** How the groups that stand for roles are called (reference/markdown.md, Mentions). */
const displayNames: Readonly<Record<string, string>> = {
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
  'role:nobody': 'Nobody',
};

function resolveGroups({ groups }: Rules, names: readonly string[]): Resolved['groups'] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  return groups
    .filter(({ name }) => wanted.has(name.toLowerCase()))
    .map(({ id, name }) => ({
      id,
      name,
      displayName: displayNames[name] ?? name,
      isActive: true,
      // Those that stand for roles are there for permissions.
      mayMention: false,
    }));
}

/** Topics with the latest message in each that the author can read. */
async function resolveTopics(
  tx: Tx,
  actor: Actor,
  readable: readonly ChannelAccess[],
  wanted: References['topics'],
): Promise<Resolved['topics']> {
  const byName = new Map(readable.map(({ channel }) => [channel.name.toLowerCase(), channel]));
  const places = wanted.flatMap(({ channel, topic }) => {
    const found = byName.get(channel.toLowerCase());
    return found ? [{ channel: found.id, topic: topic.toLowerCase(), shared: found.sharesHistory }] : [];
  });
  if (places.length === 0) return [];
  const rows = await tx.execute<{ channel_id: number; name: string; message_id: number }>(sql`
    select t.channel_id, t.name, latest.id as message_id
    from jsonb_to_recordset(${JSON.stringify(places)}::text::jsonb) p (channel int, topic text, shared boolean)
    join topics t on t.channel_id = p.channel and lower(t.name) = p.topic
    cross join lateral (
      select m.id from messages m
      left join conversation_members c on c.conversation_id = m.conversation_id and c.user_id = ${actor.id}
      where m.topic_id = t.id and (p.shared or m.ordinal <@ c.received)
      order by m.id desc limit 1
    ) latest`);
  return rows.map(({ channel_id, name, message_id }) => ({
    channelId: channel_id,
    topic: name,
    messageId: message_id,
  }));
}

/** Formats that browsers do not show as they are. */
const unsupportedFormats = new Set(['image/heic', 'image/heif', 'image/tiff']);

function presentUploads(
  written: readonly string[],
  rows: readonly AttachmentRow[],
): ReadonlyMap<string, UploadFacts> {
  const byPath = new Map(rows.map((row) => [row.pathId, row]));
  return new Map(
    written.flatMap((path) => {
      const image = byPath.get(toUploadPathId(path))?.image;
      return image ? [[path, presentImage(image)]] : [];
    }),
  );
}

/** Thumbnails are made when they are first asked for: there is none to wait for. */
const presentImage = ({
  contentType,
  width,
  height,
  frames,
}: NonNullable<AttachmentRow['image']>): UploadFacts => ({
  contentType,
  state: 'ready',
  width,
  height,
  isAnimated: frames > 1,
  thumbnail: frames > 1 ? '840x560-anim.webp' : '840x560.webp',
  transcoded: unsupportedFormats.has(contentType) ? '840x560.webp' : null,
});
