import { type UserGroupRow, type UserRow, type Tx, type AttachmentRow, tables } from '@parley/db';
import { type Resolved, nothingResolved, type References, type UploadFacts } from '@parley/markdown';
import { or, sql, and, eq } from 'drizzle-orm';

import { maySeeChannel, mayReadChannel } from '../access/channel-permissions.ts';
import type { ChannelAccess } from '../access/channel-permissions.ts';
import { listNamedChannels } from '../access/channels.ts';
import { filterAccessible } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { toUploadPathId } from '../attachments/upload-path.ts';
import { isId, isAmong } from '../ids.ts';
import { isNamed } from '../is-named.ts';
import type { Rules } from '../permissions/rules.ts';
import { listUserGroupsByName } from '../user-groups/find.ts';
import { permissionsOf } from '../user-groups/present.ts';

/** The users, groups, channels, topics, uploads and pages that a text names, as far as its author may access them. */
export interface ResolvedText {
  resolved: Resolved;
  /** The rows of the users that it names. */
  people: UserRow[];
}

export const emptyText: ResolvedText = { resolved: nothingResolved, people: [] };

export interface TextAuthor {
  actor: Actor;
  /** True for system bots, which may name everything in the realm. */
  seesAll: boolean;
}

/** Looks up everything that a text names, except pages. `uploads` are those of its uploads that the author may read. */
export async function resolveTextReferences(
  tx: Tx,
  author: TextAuthor,
  rules: Rules,
  references: References,
  uploads: readonly AttachmentRow[],
): Promise<ResolvedText> {
  const { actor, seesAll } = author;
  const channelNames = [...references.channels, ...references.topics.map(({ channel }) => channel)];
  // The queries are sent together, in one round trip.
  const [users, channels, groups] = await Promise.all([
    listNamedUsers(tx, actor, references.users),
    listNamedChannels(tx, actor, channelNames),
    listUserGroupsByName(tx, actor.realm.id, references.groups),
  ]);
  const people = seesAll ? users : await filterAccessible(tx, actor, users);
  const visible = channels.filter((access) => seesAll || maySeeChannel(actor, access, rules));
  const readable = visible.filter((access) => seesAll || mayReadChannel(actor, access, rules));
  return {
    people,
    resolved: {
      users: people.map(({ id, fullName: name, isActive }) => ({ id, name, isActive })),
      groups: groups.map((group) => presentNamedGroup(group, author, rules)),
      channels: visible.map(({ channel: { id, name } }) => ({ id, name })),
      topics: await resolveTopics(tx, actor, readable, references.topics),
      uploads: presentUploads(references.uploads, uploads),
      pages: new Map(),
    },
  };
}

/** The users that mentions name. If several users have the same name, the last one in the list counts. */
async function listNamedUsers(tx: Tx, { realm }: Actor, mentions: References['users']): Promise<UserRow[]> {
  const { users } = tables;
  const ids = mentions.flatMap(({ id }) => (id !== null && isId(id) ? [id] : []));
  const names = mentions.flatMap(({ id, name }) => (id === null ? [name] : []));
  const isMentioned = or(
    ids.length > 0 ? isAmong(users.id, ids) : undefined,
    names.length > 0 ? isNamed(users.fullName, names) : undefined,
  );
  if (!isMentioned) return [];
  return await tx
    .select()
    .from(users)
    .where(and(eq(users.realmId, realm.id), isMentioned))
    .orderBy(users.id);
}

/** The names under which mentions of system groups are displayed. */
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

/** A group as mentions need it. System groups exist for permissions, and nobody may mention them. */
const presentNamedGroup = (group: UserGroupRow, { actor }: TextAuthor, rules: Rules) => ({
  id: group.id,
  name: group.name,
  displayName: displayNames[group.name] ?? group.name,
  isActive: !group.isDeactivated,
  mayMention: rules.includes(permissionsOf(group, rules).can_mention_group, actor),
});

/** The topics that a text names, each with the id of its latest message that the author may read. */
async function resolveTopics(
  tx: Tx,
  actor: Actor,
  readable: readonly ChannelAccess[],
  references: References['topics'],
): Promise<Resolved['topics']> {
  const channelByName = new Map(readable.map(({ channel }) => [channel.name.toLowerCase(), channel]));
  const places = references.flatMap(({ channel: channelName, topic }) => {
    const channel = channelByName.get(channelName.toLowerCase());
    if (!channel) return [];
    return [{ channel: channel.id, topic, shared: channel.sharesHistory }];
  });
  if (places.length === 0) return [];
  const rows = await tx.execute<{ channel_id: number; name: string; message_id: number }>(sql`
    select t.channel_id, t.name, latest.id as message_id
    from jsonb_to_recordset(${JSON.stringify(places)}::text::jsonb) p (channel int, topic text, shared boolean)
    join topics t on t.realm_id = ${actor.realm.id} and t.channel_id = p.channel and lower(t.name) = lower(p.topic)
    cross join lateral (
      select m.id from messages m
      left join conversation_members c on c.realm_id = ${actor.realm.id} and c.conversation_id = m.conversation_id and c.user_id = ${actor.id}
      where m.realm_id = ${actor.realm.id} and m.topic_id = t.id and (p.shared or m.ordinal <@ c.received)
      order by m.id desc limit 1
    ) latest`);
  return rows.map(({ channel_id, name, message_id }) => ({
    channelId: channel_id,
    topic: name,
    messageId: message_id,
  }));
}

/** Image formats that browsers cannot show. They are transcoded. */
const unsupportedFormats = new Set(['image/heic', 'image/heif', 'image/tiff']);

function presentUploads(paths: readonly string[], rows: readonly AttachmentRow[]): Resolved['uploads'] {
  const byPath = new Map(rows.map((row) => [row.pathId, row]));
  return new Map(
    paths.flatMap((path) => {
      const row = byPath.get(toUploadPathId(path));
      return row ? [[path, row.image && presentImage(row.image)]] : [];
    }),
  );
}

/** The facts about an uploaded image. Its thumbnail counts as ready, because it is made when it is first requested. */
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
