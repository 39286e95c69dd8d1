import * as actions from '@parley/actions';

import type { Json, Params } from './http.ts';
import { performAdHoc } from './perform-ad-hoc.ts';
import type { Person } from './person.ts';
import { succeed } from './replies.ts';
import { getWorld } from './world.ts';

export const idsOf = (people: readonly Person[]): number[] => people.map(({ id }) => id);

/** What a channel is like that is made by the way. */
interface ChannelKind {
  invite_only?: boolean;
  is_web_public?: boolean;
  history_public_to_subscribers?: boolean;
}

/**
 * Puts people into a channel, and makes it where there is none of this name. Nobody says that it was made, so that tests
 * begin with nothing said; `sendsMessages` says whether people are told who brought them.
 */
export async function subscribe(
  by: Person,
  name: string,
  principals: Person[] = [by],
  kind: ChannelKind = {},
  sendsMessages = false,
): Promise<Json> {
  const { engine } = await getWorld();
  const isPrivate = kind.invite_only ?? false;
  const input = {
    channels: [{ name, description: '', color: null }],
    principals: idsOf(principals),
    creates: {
      isPrivate,
      isWebPublic: kind.is_web_public ?? false,
      sharesHistory: kind.history_public_to_subscribers ?? !isPrivate,
    },
    sendsMessages,
    isStrict: true,
  };
  const { subscribed } = await performAdHoc(engine, by.realm.id, async (tx) => {
    const result = await actions.channels.subscribe(tx, { actor: by.actor, ...input });
    const isCreation = ({ event }: (typeof result.events)[number]) =>
      event.type === 'message' && JSON.stringify(event).includes('created this channel');
    return { ...result, events: result.events.filter((pending) => !isCreation(pending)) };
  });
  return { subscribed: Object.fromEntries(subscribed) };
}

/** Makes a channel; answers with its id. */
export async function createChannel(
  by: Person,
  name: string,
  subscribers: Person[] = [by],
  more: Params = {},
): Promise<number> {
  return (await succeed(by.post('/channels/create', { name, subscribers: idsOf(subscribers), ...more }))).id;
}

/** Makes a channel in which nothing is said yet, not even that it was made; answers with its id. */
export async function emptyChannel(
  by: Person,
  name: string,
  people: [Person, ...Person[]] = [by],
  kind: ChannelKind = {},
): Promise<number> {
  await subscribe(by, name, people, kind);
  return await channelId(people[0], name);
}

/** The id of a channel that the person knows of. */
export async function channelId(by: Person, name: string): Promise<number> {
  return (await succeed(by.get('/get_stream_id', { stream: name }))).stream_id;
}

/** A channel as the person is shown it. */
export async function channelOf(by: Person, id: number): Promise<Json> {
  return (await by.get(`/streams/${id}`)).stream;
}

/** Leaves channels, or has others leave them. */
export const leave = (by: Person, names: string[], principals: Person[] = [by]) =>
  succeed(by.delete('/users/me/subscriptions', { subscriptions: names, principals: idsOf(principals) }));

/** Sends to a channel; answers with the message's id. */
export async function say(by: Person, to: number | string, topic = 't', content = 'hello'): Promise<number> {
  return (await succeed(by.post('/messages', { type: 'channel', to, topic, content }))).id;
}

/** Sends to people; answers with the message's id. */
export async function tell(by: Person, people: Person[], content = 'hello'): Promise<number> {
  return (await succeed(by.post('/messages', { type: 'direct', to: idsOf(people), content }))).id;
}
