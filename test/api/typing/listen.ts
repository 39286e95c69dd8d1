import { expect } from 'vitest';

import {
  type Json,
  type Listener,
  type Params,
  type Person,
  type TestRealm,
  newest,
} from '../../support/index.ts';

/** Somebody who listens to typing, at a node that follows the realm by now. */
export async function listen(
  person: Person,
  options: Params = { client_capabilities: newest },
): Promise<Listener> {
  const listener = await person.listen({ event_types: ['typing', 'typing_edit_message'], ...options });
  await listener.hears();
  return listener;
}

export const present = ({ id, email }: Person) => ({ user_id: id, email });

export const type = (by: Person, op: string, params: Params): Promise<Json> =>
  by.post('/typing', { op, ...params });

/** That nothing came before something that surely comes. */
export async function hearsNothing({ owner }: TestRealm, person: Person, listener: Listener): Promise<void> {
  await type(owner, 'stop', { to: [person.id] });
  expect(await listener.waits()).toMatchObject([{ type: 'typing', op: 'stop', sender: present(owner) }]);
}
