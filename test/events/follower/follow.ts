import { ephemeralEvents } from '@parley/protocol';

import { type Event, type Json, type Listener, type Person, succeed } from '../../support/index.ts';
import { apply } from './apply.ts';
import { type ClientKind, clients, sectionsOf } from './clients.ts';
import { type Questions, askFor, fetchMessages, fetcher } from './messages.ts';
import { readState } from './read-state.ts';
import type { State } from './state.ts';
import { shown, understood } from './understood.ts';
import { learn } from './unread.ts';

/** They may be lost, so nothing of the state that is compared here hangs on them. */
const ephemeralTypes = new Set<string>(Object.values(ephemeralEvents).map(({ type }) => type));

/** A client that keeps what it was given at registration true by applying events, as real ones do. */
interface Follower {
  state: State;
  /** Applies all events that have come; returns them. */
  catchUp(): Promise<Event[]>;
}

export async function follow(person: Person, kind: ClientKind): Promise<Follower> {
  const listener: Listener = await person.listen({
    fetch_event_types: sectionsOf[kind],
    include_subscribers: 'true',
    apply_markdown: true,
    client_gravatar: false,
    client_capabilities: clients[kind],
  });
  const fetch = fetcher(person, clients[kind]?.empty_topic_name ?? false);
  const questions: Questions = { messages: new Set(), channels: new Set() };
  const follower = {
    state: understood(
      readState(listener.registered, await fetchMessages(fetch), {
        ...(await succeed(person.get('/attachments'))),
        invites: await fetchInvites(person),
        ...(await fetchExports(person, listener.registered)),
      }),
    ),
    async catchUp() {
      const wasAdministrator = follower.state.own.is_admin;
      const events = (await listener.hears()).filter(({ type }) => !ephemeralTypes.has(type));
      for (const event of events) apply(follower.state, event, questions);
      for (const message of await askFor(follower.state.messages, questions, fetch)) {
        learn(follower.state, message);
      }
      const { own } = follower.state;
      if (!wasAdministrator) Object.assign(follower.state, await fetchExports(person, own));
      follower.state.invites ??= await fetchInvites(person);
      understood(follower.state);
      return events;
    },
  };
  return follower;
}

/** The invitations that somebody looks after: bots and guests none. */
async function fetchInvites(person: Person): Promise<Json[]> {
  const reply = await person.get('/invites');
  return reply.code === 'BAD_REQUEST' ? [] : (await succeed(Promise.resolve(reply))).invites;
}

/** The organization's exports and who consents to them, which administrators alone are shown. */
async function fetchExports(person: Person, own: Json): Promise<Pick<State, 'exports' | 'consents'>> {
  if (!own.is_admin) return { exports: [], consents: {} };
  const { exports } = await succeed(person.get('/export/realm'));
  const { export_consents: all } = await succeed(person.get('/export/realm/consents'));
  const consenting = all.filter(({ consented }: Json) => consented);
  return { exports, consents: Object.fromEntries(consenting.map((one: Json) => [one.user_id, true])) };
}

/** What a fresh client shows, as far as one who followed can know it. */
export const asFollowed = (fresh: State, { maxMessageId }: State): State =>
  shown(maxMessageId === null ? { ...fresh, maxMessageId } : fresh);
