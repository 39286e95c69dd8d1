import { type Topic, getTopics } from '@parley/client';
import { signal } from '@preact/signals';

import { plainText } from '../../../base/html/html-policy.ts';
import { best } from '../../../base/options/rank.ts';
import type { Suggestion } from '../../../base/options/suggestion.ts';
import { showError } from '../../../base/toasts/toasts.tsx';
import { allEmoji, loadEmoji, appearanceOf } from '../../../data/emoji/emoji.ts';
import { peek } from '../../../data/live/state.ts';
import type { User } from '../../../data/people/names.ts';
import { participants } from '../../../data/people/participants.ts';
import { pictureOf } from '../../../data/people/picture-of.ts';
import { connection } from '../../../data/session/session.ts';
import { nameText } from '../../../strings/common.ts';
import { completionText } from '../../../strings/compose.ts';
import { locale } from '../../../strings/language.ts';
import type { Trigger } from './trigger.ts';

const wildcards = [
  { name: 'all', detail: completionText.all },
  { name: 'channel', detail: completionText.channel },
  { name: 'topic', detail: completionText.topic },
];

const commands = [
  { name: 'poll', detail: completionText.poll },
  { name: 'todo', detail: completionText.todo },
  { name: 'me', detail: completionText.me },
  { name: 'dark', detail: completionText.dark },
  { name: 'light', detail: completionText.light },
];

/** Returns the best suggestions for what is typed at the caret. Signals that it reads bring what is loaded for it. */
export function suggest(trigger: Trigger, channelId: number | null): Suggestion[] {
  const { kind, query } = trigger;
  if (kind === 'person' || kind === 'silent-person')
    return people(query, kind === 'silent-person', channelId);
  if (kind === 'channel') return channels(query);
  if (kind === 'topic') return topics(trigger.channel ?? '', query);
  if (kind === 'emoji') return emoji(query);
  return best(query, commands, ({ name }) => [name]).map(({ name, detail }) => ({
    key: name,
    label: `/${name}`,
    detail,
    text: `/${name} `,
  }));
}

/**
 * Says in which order somebody means people: the others who write in the conversation that is shown, whoever wrote last at
 * the top, then those of the channel, and people before bots, then by name.
 */
export function peopleFirst(channelId: number | null) {
  const { own, subscriptions } = peek();
  const inChannel = channelId === null ? undefined : subscriptions.get(channelId)?.subscribers;
  const isIn = ({ user_id }: User) => inChannel?.has(user_id) === true;
  const others = participants.peek().filter((id) => id !== own.user_id);
  const writers = new Map(others.map((id, at) => [id, at]));
  const isWriter = (user: User) => writers.has(user.user_id) && (channelId === null || isIn(user));
  const rank = (user: User) => (isWriter(user) ? 0 : isIn(user) ? 2 : 4) + (user.is_bot ? 1 : 0);
  const lastFirst = (one: User, other: User) =>
    isWriter(one) && isWriter(other)
      ? (writers.get(one.user_id) ?? 0) - (writers.get(other.user_id) ?? 0)
      : byName(one.full_name, other.full_name);
  return (one: User, other: User) => rank(one) - rank(other) || lastFirst(one, other);
}

const byName = new Intl.Collator(locale()).compare;

function people(query: string, isSilent: boolean, channelId: number | null): Suggestion[] {
  const { users, groups } = peek();
  const found = best(query, users.values(), ({ full_name }) => [full_name], 6, peopleFirst(channelId));
  const shared = sharedNames(found, users.values());
  const sign = isSilent ? '@_' : '@';
  const foundPeople = found.map((one) => ({
    key: `user ${one.user_id}`,
    label: one.full_name,
    person: pictureOf(one),
    ...(one.is_bot && { detail: completionText.bot }),
    text: `${sign}**${one.full_name}${shared.has(one.full_name) ? `|${one.user_id}` : ''}** `,
  }));
  const active = [...groups.values()].filter(
    ({ is_system_group, deactivated }) => !is_system_group && !deactivated,
  );
  const foundGroups = best(query, active, ({ name }) => [name], 4).map(({ id, name, members }) => ({
    key: `group ${id}`,
    label: name,
    detail: completionText.groupOf(members.size),
    text: `${sign}*${name}* `,
  }));
  const foundWildcards = isSilent ? [] : best(query, wildcards, ({ name }) => [name]);
  return [
    ...foundPeople,
    ...foundGroups,
    ...foundWildcards.map(({ name, detail }) => ({ key: name, label: name, detail, text: `@**${name}** ` })),
  ].slice(0, 9);
}

/** Returns the names of some people that others have as well. */
function sharedNames(some: readonly User[], all: Iterable<User>): Set<string> {
  const counts = new Map(some.map(({ full_name }) => [full_name, 0]));
  for (const { full_name } of all) {
    const count = counts.get(full_name);
    if (count !== undefined) counts.set(full_name, count + 1);
  }
  return new Set([...counts].filter(([, count]) => count > 1).map(([name]) => name));
}

export function channels(query: string): Suggestion[] {
  const { subscriptions, channels: all } = peek();
  const others = [...all.values()].filter(({ stream_id, is_archived }) => {
    return !subscriptions.has(stream_id) && !is_archived;
  });
  return best(query, [...subscriptions.values(), ...others], ({ name }) => [name]).map(
    ({ stream_id, name, rendered_description }) => ({
      key: String(stream_id),
      label: `#${name}`,
      detail: plainText(rendered_description),
      text: `#**${name}** `,
    }),
  );
}

const topicLists = signal<ReadonlyMap<number, readonly Topic[]>>(new Map());
const askedTopics = new Map<number, number>();
const topicsFreshMs = 60_000;

/** The names of a channel's topics, as far as they are known yet. */
export function topicsOf(channelId: number): readonly string[] {
  if (Date.now() - (askedTopics.get(channelId) ?? 0) > topicsFreshMs) {
    askedTopics.set(channelId, Date.now());
    getTopics(connection(), channelId)
      .then((list) => (topicLists.value = new Map(topicLists.peek()).set(channelId, list)))
      .catch(showError);
  }
  return (topicLists.value.get(channelId) ?? []).map(({ name }) => name);
}

function topics(channel: string, query: string): Suggestion[] {
  const { subscriptions, channels: all } = peek();
  const isIt = ({ name }: { name: string }) => name === channel;
  const id = ([...subscriptions.values()].find(isIt) ?? [...all.values()].find(isIt))?.stream_id;
  if (id === undefined) return [];
  return best(query, topicsOf(id), (name) => [name]).map((name) => ({
    key: `topic ${name}`,
    label: name || nameText.generalChat,
    detail: `#${channel}`,
    text: `#**${channel}>${name}** `,
  }));
}

function emoji(query: string): Suggestion[] {
  loadEmoji().catch(showError);
  return best(query, allEmoji(), ({ names }) => names).map((one) => {
    const { picture, character } = appearanceOf(one);
    const name = one.names.find((other) => other.startsWith(query.toLowerCase())) ?? one.emoji_name;
    const label = `${character} :${name}:`.trim();
    return { key: `${one.reaction_type} ${one.emoji_code}`, label, picture, text: `:${name}: ` };
  });
}
