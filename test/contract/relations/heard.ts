import {
  type Event,
  type Json,
  type Listener,
  type Params,
  type Person,
  newest,
} from '../../support/index.ts';

/** A client that can read everything, but for the capabilities that it lacks, and hears of these types alone. */
export const listenWith = (by: Person, types: readonly string[], lacking: readonly string[] = []) =>
  by.listen({ event_types: types, client_capabilities: without(...lacking) });

/** What the newest client can read, but for some capabilities. */
export const without = (...lacking: readonly string[]): Record<string, boolean> => ({
  ...newest,
  notification_settings_null: true,
  user_avatar_url_field_optional: false,
  ...Object.fromEntries(lacking.map((name) => [name, false])),
});

/** The messages that a client has heard of since it was last asked. */
export const messagesHeard = async (phone: Listener): Promise<Json[]> =>
  (await phone.hears()).flatMap(({ type, message }) => (type === 'message' ? [message] : []));

/** What a client has heard of one type since it was last asked. */
export const heardOf = async (phone: Listener, type: string): Promise<Event[]> =>
  (await phone.hears()).filter((event) => event.type === type);

/** A part of the state that a client is told when it registers. */
export const stateOf = async (by: Person, type: string, params: Params = {}): Promise<Json> =>
  await by.post('/register', { fetch_event_types: [type], ...params });

/** A message as somebody is shown it; undefined where they may not read it. */
export const shown = async (to: Person, id: number, params: Params = {}): Promise<Json> =>
  (await to.get(`/messages/${id}`, { apply_markdown: false, allow_empty_topic_name: true, ...params }))
    .message;

/** Ids of a topic's messages, as somebody finds them. */
export async function idsIn(who: Person, channel: number, topic: string): Promise<number[]> {
  const narrow = [
    ['channel', channel],
    ['topic', topic],
  ];
  const reply = await who.get('/messages', { anchor: 'newest', num_before: 100, narrow });
  return (reply.messages ?? []).map(({ id }: Json) => id);
}
