import type { Json, Params } from './http.ts';
import type { Person } from './person.ts';
import { succeed } from './replies.ts';

export const idsOf = (people: readonly Person[]): number[] => people.map(({ id }) => id);

/** Puts people into a channel, and makes it where there is none of this name. */
export const subscribe = (by: Person, name: string, principals: Person[] = [by], more: Params = {}) =>
  succeed(
    by.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: idsOf(principals),
      ...more,
    }),
  );

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
  more: Params = {},
): Promise<number> {
  await subscribe(by, name, people, more);
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
