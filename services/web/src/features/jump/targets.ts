import { type Place, type State, amongPeople, inTopic, peopleOf, placeOf } from '@parley/client';

import { best } from '../../base/options/rank.ts';
import { narrowFragment, toChannel, toPeople, toTopic } from '../../base/router/narrow.ts';
import type { User } from '../../data/people/names.ts';
import { channelsText } from '../../strings/channels.ts';
import { nameText } from '../../strings/common.ts';
import { jumpText } from '../../strings/jump.ts';
import { listNames } from '../../strings/language.ts';
import { dateText } from '../../strings/search.ts';
import { viewText } from '../../strings/views.ts';

/** Where somebody can go, or what they can do. */
export interface JumpTarget {
  key: string;
  label: string;
  detail: string;
  /** The names that it is found by. */
  names: readonly string[];
  /** Where it leads; null for a command. */
  href: string | null;
  /** The account, if it is somebody. */
  userId?: number;
  /** The channel, if it is one. */
  channelId?: number;
}

/** Conversations are looked for among so many of the newest. */
const conversationsMax = 500;
const shownMax = 12;

const views = [
  ['inbox', viewText.inbox],
  ['recent', viewText.recent],
  ['feed', viewText.feed],
  ['narrow/is/mentioned', viewText.mentions],
  ['narrow/is/starred', viewText.starred],
  ['narrow/is/dm', viewText.direct],
  ['channels', channelsText.browse],
  ['drafts', viewText.drafts],
  ['scheduled', viewText.scheduled],
  ['settings', jumpText.settings],
  ['administration', jumpText.organization],
] as const;

/** What can be done from the palette, by the names of the commands. */
const commands = {
  'new-message': jumpText.newMessage,
  'new-direct': jumpText.newDirect,
  'mark-all': jumpText.markAll,
  date: dateText.title,
  keys: jumpText.keys,
} as const;

export type JumpCommand = keyof typeof commands;

type Known = Pick<
  State,
  'messages' | 'unread' | 'topics' | 'channels' | 'subscriptions' | 'users' | 'conversations' | 'own'
>;

/** A conversation, and how new what is known of it is. */
interface Conversation {
  newest: number;
  channelId: number | null;
  topic: string;
  others: readonly number[];
}

/** Everything that is known to have been talked about, the newest first. */
function conversationsOf(state: Known): Conversation[] {
  const found = new Map<Place, Conversation>();
  const add = (place: Place, conversation: Conversation) => {
    const before = found.get(place);
    if (!before || before.newest < conversation.newest) found.set(place, conversation);
  };
  for (const message of state.messages.values()) {
    const place = placeOf(message, state.own.user_id);
    const { stream_id = null, subject: topic, id: newest } = message;
    add(place, { newest, channelId: stream_id, topic, others: peopleOf(place) ?? [] });
  }
  for (const [place, newest] of state.conversations)
    add(place, { newest, channelId: null, topic: '', others: peopleOf(place) ?? [] });
  for (const [place, topic] of state.unread.topicNames) {
    const channelId = Number(/^channel (\d+),/.exec(place)?.[1]);
    add(place, { newest: Math.max(0, ...(state.unread.at.get(place) ?? [])), channelId, topic, others: [] });
  }
  for (const { stream_id: channelId, topic_name: topic } of state.topics.values())
    add(inTopic(channelId, topic), { newest: 0, channelId, topic, others: [] });
  return [...found.values()].sort((one, other) => other.newest - one.newest).slice(0, conversationsMax);
}

const nameIn = ({ users }: Known, id: number) => users.get(id)?.full_name ?? nameText.user(id);

function toConversation(state: Known, { newest, channelId, topic, others }: Conversation): JumpTarget[] {
  if (channelId === null) {
    // Those of one person are found by the person.
    if (others.length < 2) return [];
    const names = listNames(others.map((id) => nameIn(state, id)));
    const href = toPeople(others);
    return [{ key: href, label: names, detail: viewText.direct, names: [names], href }];
  }
  const channel = (state.subscriptions.get(channelId) ?? state.channels.get(channelId))?.name;
  if (channel === undefined) return [];
  const label = topic || nameText.generalChat;
  const href = toTopic(channelId, channel, topic, newest === 0 ? {} : { with: newest });
  const names = [label, `${channel} ${label}`, `${channel} > ${label}`];
  return [{ key: `topic ${channelId} ${topic.toLowerCase()}`, label, detail: `#${channel}`, names, href }];
}

function toPerson({ own }: Known, user: User): JumpTarget {
  const { user_id: userId, full_name: label, is_bot } = user;
  const href = toPeople([userId]);
  const names = [label, typeof user['delivery_email'] === 'string' ? user['delivery_email'] : ''];
  const detail = userId === own.user_id ? nameText.yourself : is_bot ? jumpText.bot : jumpText.person;
  return { key: `user ${userId}`, label, detail, names, href, userId };
}

/** People whom one has written with last come first. */
function peopleOfState(state: Known): JumpTarget[] {
  const newestWith = (id: number) => state.conversations.get(amongPeople([id])) ?? 0;
  return [...state.users.values()]
    .sort((one, other) => newestWith(other.user_id) - newestWith(one.user_id))
    .map((user) => toPerson(state, user));
}

function channelsOf({ subscriptions, channels }: Known): JumpTarget[] {
  const others = [...channels.values()].filter(
    ({ stream_id: id, is_archived }) => !subscriptions.has(id) && !is_archived,
  );
  return [...subscriptions.values(), ...others].map(({ stream_id: id, name }) => ({
    key: `channel ${id}`,
    label: `#${name}`,
    detail: jumpText.channel,
    names: [name, `#${name}`],
    href: toChannel(id, name),
    channelId: id,
  }));
}

const viewTargets = (): JumpTarget[] =>
  views.map(([href, label]) => ({ key: href, label, detail: jumpText.view, names: [label], href }));

const commandTargets = (): JumpTarget[] =>
  Object.entries(commands).map(([key, label]) => ({
    key,
    label,
    detail: jumpText.command,
    names: [label],
    href: null,
  }));

/** Where a text may lead, best first; without a text, where the reader was last. */
export function findTargets(query: string, state: Known): JumpTarget[] {
  const wanted = query.trim();
  const talks = conversationsOf(state).flatMap((one) => toConversation(state, one));
  if (wanted === '') return [...talks.slice(0, 6), ...viewTargets()].slice(0, shownMax);
  const all = [
    ...channelsOf(state),
    ...talks,
    ...peopleOfState(state),
    ...viewTargets(),
    ...commandTargets(),
  ];
  const terms = [{ operator: 'search', operand: wanted, negated: false }];
  const search = narrowFragment({ terms, near: null });
  return [
    ...best(wanted, all, ({ names }) => names, shownMax - 1),
    { key: 'search', label: jumpText.search(wanted), detail: '', names: [], href: search },
  ];
}
