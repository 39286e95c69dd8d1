import { type Person, succeed } from '../../support/index.ts';

export const idsOf = (people: Person[]) => people.map(({ id }) => id);

export const create = async (
  by: Person,
  name: string,
  subscribers: Person[] = [by],
  more: Record<string, unknown> = {},
) => (await succeed(by.post('/channels/create', { name, subscribers: idsOf(subscribers), ...more }))).id;

export const subscribe = async (by: Person, name: string, principals: Person[] = [by], more: object = {}) =>
  succeed(
    by.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: principals.map(({ id }) => id),
      ...more,
    }),
  );

export const leave = (by: Person, names: string[], principals: Person[] = [by]) =>
  succeed(by.delete('/users/me/subscriptions', { subscriptions: names, principals: idsOf(principals) }));

export const send = (by: Person, params: object) =>
  succeed(by.post('/messages', { content: 'hello', ...params }));

export const toChannel = (by: Person, to: string) => send(by, { type: 'channel', to, topic: 'a topic' });
