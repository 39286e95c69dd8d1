import type { Tx } from '@parley/db';
import {
  type Linkifiers,
  type TopicLink,
  noLinkifiers,
  quickLinkifierSteps,
  topicLinks,
} from '@parley/markdown';
import { type FetchedMessage, type Reaction, type Submessage, messageFor } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { inaccessibleUserIds } from '../access/users.ts';
import type { Actor } from '../actor.ts';
import { emailVisibilities } from '../email-visibility.ts';
import { bigintArray } from '../ids.ts';
import { getCompiledLinkifiers } from '../linkifiers/find.ts';
import { getRules } from '../permissions/rules.ts';
import { listReactions } from '../reactions/find.ts';
import { isSpectator } from '../realms/spectator.ts';
import { listSubmessages } from '../submessages/find.ts';
import { toSeconds } from '../time.ts';
import { type NamedUser, listNamedUsers } from '../users/find.ts';
import { unknownSenderFields, avatarUrl, publicEmail, usesGravatar } from '../users/present.ts';
import {
  listMessageChanges,
  type HistoryPolicy,
  type MessageChange,
  presentMessageChanges,
  lastMovedAt,
  topicSpelling,
} from './changes.ts';
import { type FlagRow, flagColumns, flagsOf } from './flags.ts';
import { type Attached, everythingAttached } from './page-bytes.ts';
import { rerenderStale } from './rerender.ts';
import { type Highlight, highlightHtml, highlightText } from './search/highlight.ts';
import { isMeMessage } from './text.ts';

/** The format in which a client wants messages. */
export interface MessageFormat {
  applyMarkdown: boolean;
  clientGravatar: boolean;
}

interface Row extends Record<string, unknown>, FlagRow {
  id: number;
  conversation_id: number;
  sender_id: number;
  sent: number;
  content: string;
  rendered_content: string;
  rendered_version: number;
  client: string;
  channel_id: number | null;
  channel_name: string | null;
  topic_name: string | null;
  people: number[] | null;
  edited: number | null;
  /** The conversation of the channel that the message is in now. */
  channel_conversation_id: number | null;
}

/** What is known of messages before they are read. */
interface Known {
  /** What is marked in them, if they were found by a search. */
  highlight?: Highlight | undefined;
  /** What any of them may have. */
  attached?: Attached;
}

/** Returns message objects with the actor's flags, in the order of `ids`, which the actor must be allowed to read. */
export async function presentMessages(
  tx: Tx,
  actor: Actor,
  ids: number[],
  format: MessageFormat,
  { highlight, attached = everythingAttached }: Known = {},
): Promise<FetchedMessage[]> {
  if (ids.length === 0) return [];
  const found = await tx.execute<Row>(sql`
    select m.id, m.conversation_id, m.sender_id, floor(extract(epoch from m.sent_at))::bigint as sent, m.content,
      m.rendered_content, m.rendered_version, m.client, m.channel_id,
      floor(extract(epoch from m.edited_at))::bigint as edited, h.name as channel_name, t.name as topic_name, d.people,
      h.conversation_id as channel_conversation_id, ${flagColumns(actor)}
    from messages m
    -- The union decompresses the ranges once for all messages of a conversation.
    left join lateral (
      select received, read + '{}'::int8multirange as read from conversation_members
      where realm_id = ${actor.realm.id} and conversation_id = m.conversation_id and user_id = ${actor.id} offset 0
    ) c on true
    left join lateral (select * from channels where realm_id = ${actor.realm.id} and id = m.channel_id offset 0) h on true
    left join lateral (select * from topics where realm_id = ${actor.realm.id} and id = m.topic_id offset 0) t on true
    left join lateral (
      select * from conversations
      where realm_id = ${actor.realm.id} and id = m.conversation_id and m.channel_id is null offset 0
    ) d on true
    left join lateral (
      select * from message_flags
      where realm_id = ${actor.realm.id} and user_id = ${actor.id} and message_id = m.id offset 0
    ) f on true
    where m.realm_id = ${actor.realm.id} and m.id = any(${bigintArray(ids)})`);
  const peopleIds = new Set(found.flatMap(({ sender_id, people }) => [sender_id, ...(people ?? [])]));
  // The queries are sent together, in one round trip.
  const [users, reactionsOf, submessagesOf, changesOf, linkifiers] = await Promise.all([
    listNamedUsers(tx, actor.realm.id, [...peopleIds]),
    listReactions(tx, actor.realm.id, attached.reactions ? ids : []),
    listSubmessages(tx, actor.realm.id, attached.submessages ? ids : []),
    listMessageChanges(tx, actor.realm.id, attached.changes ? ids : []),
    found.some(({ topic_name }) => topic_name) ? getCompiledLinkifiers(tx, actor.realm.id) : noLinkifiers,
  ]);
  const getPerson = presentPeople(users, actor);
  const rerendered = await rerenderStale(tx, actor.realm, found);
  const senderIds = [...new Set(found.map(({ sender_id }) => sender_id))];
  const inaccessibleIds = await inaccessibleUserIds(tx, actor, senderIds);
  const rows = spellTopics(found, changesOf);
  const linksOf = listTopicLinks(linkifiers, rows);
  const policy = changesOf.size > 0 ? await getHistoryPolicy(tx, actor) : 'none';
  const byId = new Map(
    rows.map((row) => {
      const history = presentHistory(row, changesOf.get(row.id) ?? [], policy);
      const extras = {
        reactions: reactionsOf.get(row.id) ?? [],
        submessages: submessagesOf.get(row.id) ?? [],
        topicLinks: linksOf.get(row.topic_name ?? '') ?? [],
        html: rerendered.get(row.id) ?? row.rendered_content,
        highlight,
      };
      const unknownSender =
        inaccessibleIds.has(row.sender_id) && unknownSenderFields(row.sender_id, actor.realm.emailDomain);
      return [row.id, Object.assign(present(row, extras, actor, getPerson, format), unknownSender, history)];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const spellTopics = (rows: Row[], changesOf: ReadonlyMap<number, MessageChange[]>): Row[] =>
  rows.map((row) => ({
    ...row,
    topic_name: row.topic_name && topicSpelling(row.topic_name, changesOf.get(row.id) ?? []),
  }));

/** The links of topics by topic name. They follow from the current linkifiers, however old the messages are. */
function listTopicLinks(linkifiers: Linkifiers, rows: Row[]): Map<string, TopicLink[]> {
  const names = new Set(rows.flatMap(({ topic_name }) => topic_name || []));
  // One budget for all, so that a page of many topics takes no longer than one of few.
  const budget = { steps: quickLinkifierSteps };
  return new Map([...names].map((name) => [name, topicLinks(name, linkifiers, budget)]));
}

async function getHistoryPolicy(tx: Tx, actor: Actor): Promise<HistoryPolicy> {
  return (await getRules(tx, actor.realm.id)).settings.message_edit_history_visibility_policy;
}

/** The fields of a message about its edits and moves; none for a message without any. */
function presentHistory(row: Row, changes: MessageChange[], policy: HistoryPolicy) {
  const entries = presentMessageChanges(changes, policy);
  const movedAt = lastMovedAt(changes);
  return {
    ...(entries.length > 0 && { edit_history: entries }),
    ...(row.edited !== null && { last_edit_timestamp: Number(row.edited) }),
    ...(movedAt && { last_moved_timestamp: toSeconds(movedAt) }),
  };
}

/** What messages say of somebody, as sender and as recipient. It is the same in all messages of a page. */
interface Person {
  sender: { sender_email: string; sender_full_name: string; avatar_url: string };
  isGravatar: boolean;
  recipient: { id: number; email: string; full_name: string; is_mirror_dummy: boolean };
}

function presentPeople(users: readonly NamedUser[], viewer: Actor): (id: number) => Person {
  const { emailDomain } = viewer.realm;
  const people = new Map(
    users.map((found): [number, Person] => {
      // Spectators see nobody's real email address.
      const user = isSpectator(viewer) ? { ...found, emailVisibility: emailVisibilities.nobody } : found;
      const email = publicEmail(user, emailDomain);
      const { id, fullName } = user;
      return [
        id,
        {
          sender: { sender_email: email, sender_full_name: fullName, avatar_url: avatarUrl(user) },
          isGravatar: user.emailVisibility === emailVisibilities.everyone && usesGravatar(user),
          recipient: { id, email, full_name: fullName, is_mirror_dummy: false },
        },
      ];
    }),
  );
  return (id) => {
    const person = people.get(id);
    if (!person) throw new Error(`User ${id} is named by a message and does not exist.`);
    return person;
  };
}

interface Extras {
  reactions: Reaction[];
  submessages: Submessage[];
  topicLinks: TopicLink[];
  html: string;
  highlight: Highlight | undefined;
}

function present(
  row: Row,
  extras: Extras,
  actor: Actor,
  getPerson: (id: number) => Person,
  format: MessageFormat,
): FetchedMessage {
  const { sender, isGravatar } = getPerson(row.sender_id);
  const message = messageFor(
    {
      message: {
        id: row.id,
        type: row.channel_id === null ? 'private' : 'stream',
        sender_id: row.sender_id,
        ...sender,
        sender_realm_str: actor.realm.name,
        recipient_id: Number(row.channel_conversation_id ?? row.conversation_id),
        display_recipient: row.channel_name ?? (row.people ?? []).map((id) => getPerson(id).recipient),
        ...(row.channel_id !== null && { stream_id: row.channel_id }),
        subject: row.topic_name ?? '',
        content: row.content,
        content_type: 'text/x-markdown',
        timestamp: Number(row.sent),
        client: row.client,
        is_me_message: isMeMessage(row.content),
        reactions: extras.reactions,
        submessages: extras.submessages,
        topic_links: extras.topicLinks,
      },
      rendered_content: extras.html,
      is_gravatar: isGravatar,
    },
    { apply_markdown: format.applyMarkdown, client_gravatar: format.clientGravatar },
  );
  return {
    flags: flagsOf(row),
    ...message,
    ...(extras.highlight && {
      match_content: highlightHtml(extras.html, extras.highlight),
      match_subject: highlightText(row.topic_name ?? '', extras.highlight),
    }),
  };
}
