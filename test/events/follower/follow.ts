import {
  type Changes,
  type FetchMessages,
  type FetchedMessage,
  type RegisteredLists,
  type Messages,
  type State,
  answer,
  apply,
  toMessage,
  noChanges,
  readState,
  derive,
} from '@parley/client';
import { ephemeralEvents } from '@parley/protocol';
import { expect } from 'vitest';

import { type Event, type Json, type Listener, type Person, succeed } from '../../support/index.ts';
import { type ClientKind, clients, sectionsOf } from './clients.ts';
import { shown } from './shown.ts';

/** They may be lost, so nothing of the state that is compared here hangs on them. */
const ephemeralTypes = new Set<string>(Object.values(ephemeralEvents).map(({ type }) => type));

/** A client that keeps what it was given at registration true by applying events, and all its messages. */
export interface Follower {
  state: State;
  /** Applies all events that have come; returns them. */
  catchUp(): Promise<Event[]>;
}

/** Starts a client of each kind as one person. What all of them are told alike is asked once. */
export async function followAs(person: Person, kinds: readonly ClientKind[]): Promise<Follower[]> {
  const listeners = await Promise.all(
    kinds.map((kind) =>
      person.listen({
        fetch_event_types: sectionsOf[kind],
        include_subscribers: 'true',
        apply_markdown: true,
        client_gravatar: false,
        client_capabilities: clients[kind],
      }),
    ),
  );
  const [first] = listeners;
  const lists = {
    attachments: (await succeed(person.get('/attachments'))).attachments,
    invites: await fetchInvites(person),
    ...(await fetchExports(person, first?.registered)),
  };
  return await Promise.all(
    listeners.map((listener, index) => start(person, kinds[index] ?? 'modern', listener, lists)),
  );
}

export async function follow(person: Person, kind: ClientKind): Promise<Follower> {
  const [follower] = await followAs(person, [kind]);
  if (!follower) throw new Error(`Nobody follows as ${person.name}.`);
  return follower;
}

async function start(
  person: Person,
  kind: ClientKind,
  listener: Listener,
  lists: Omit<RegisteredLists, 'messages'>,
): Promise<Follower> {
  const fetch = fetcher(person, clients[kind]?.empty_topic_name ?? false);
  const state = readState(listener.registered, {
    messages: await fetchAll(fetch),
    ...structuredClone(lists),
  });
  derive(state, changesOf(state));
  return {
    state,
    async catchUp() {
      const wasAdministrator = state.own.is_admin;
      const events = (await listener.hears()).filter(({ type }) => !ephemeralTypes.has(type));
      await take(state, events, fetch);
      if (!wasAdministrator) Object.assign(state, await fetchExports(person, state.own));
      state.invites ??= await fetchInvites(person);
      return events;
    },
  };
}

/** Applies events, asks for what they leave open, and draws the conclusions, as the client itself does. */
async function take(state: State, events: Event[], fetch: FetchMessages): Promise<void> {
  const changes = noChanges();
  for (const event of events) applyKnown(state, event, changes);
  await answer(state, changes, fetch);
  derive(state, changes);
}

/** What the client does not know is a mistake of the server's. */
export function applyKnown(state: State, event: Event, changes: Changes): void {
  const isKnown = apply(state, structuredClone(event), changes);
  if (!isKnown) throw new Error(`A client would not know what to do with ${JSON.stringify(event)}`);
}

/** As if every part had changed. */
const changesOf = (state: State): Changes => ({
  ...noChanges(),
  slices: new Set(Object.keys(state) as (keyof State)[]),
  access: new Set([...state.messages.values()].map(({ stream_id = 0 }) => stream_id)),
});

/** Asks for messages as the client would have been told of them. It holds all of a channel that it is let into. */
function fetcher(person: Person, showsEmptyTopic: boolean): FetchMessages {
  return async ({ narrow, ...params }) => {
    const isWhole = ({ operand }: { operand: unknown }) => operand !== 'unread';
    const form = { apply_markdown: true, allow_empty_topic_name: showsEmptyTopic };
    const terms = narrow ? { narrow: (narrow as { operand: unknown }[]).filter(isWhole) } : {};
    const reply = await person.get('/messages', { ...form, ...params, ...terms });
    // In a channel that is theirs no more, they find nothing.
    if (reply.code === 'BAD_NARROW') return [];
    expect(reply, 'asking for messages').toMatchObject({ result: 'success' });
    return reply.messages.map((message: FetchedMessage) => toMessage(message, message.flags));
  };
}

/** What is only the history of a channel is fetched when it is looked at, and not held. */
async function fetchAll(fetch: FetchMessages): Promise<Messages> {
  const messages = await fetch({ anchor: 'newest', num_before: 1000 });
  const held = messages.filter(({ flags }) => !flags.includes('historical'));
  return new Map(held.map((message) => [message.id, message]));
}

/** The invitations that somebody looks after: bots and guests none. */
async function fetchInvites(person: Person): Promise<Json[]> {
  const reply = await person.get('/invites');
  return reply.code === 'BAD_REQUEST' ? [] : (await succeed(Promise.resolve(reply))).invites;
}

/** The organization's exports and who consents to them, which administrators alone are shown. */
async function fetchExports(
  person: Person,
  own: Json,
): Promise<Pick<RegisteredLists, 'exports' | 'consents'>> {
  if (!own.is_admin) return { exports: [], consents: new Set() };
  const { exports } = await succeed(person.get('/export/realm'));
  const { export_consents: all } = await succeed(person.get('/export/realm/consents'));
  const consenting = all.filter(({ consented }: Json) => consented);
  return { exports, consents: new Set(consenting.map((one: Json) => one.user_id)) };
}

/** What a fresh client shows, as far as one who followed can know it. */
export const asFollowed = (fresh: State, { maxMessageId }: State): State =>
  shown(maxMessageId === null ? { ...fresh, maxMessageId } : fresh);
