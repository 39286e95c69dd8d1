import { createHmac } from 'node:crypto';

import * as actions from '@parley/actions';
import type { Realm } from '@parley/model';

import { tokenSecret } from './token-secret.ts';
import { getWorld } from './world.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON web token as the organization takes it, about the holder of an address. */
export function tokenFor(realm: { name: string }, email: string, more: object = {}): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ email, ...more })}`;
  return `${signed}.${createHmac('sha256', tokenSecret(realm.name)).update(signed).digest('base64url')}`;
}

/** What happens once another service has said who somebody is. */
export async function joinByService(
  realm: Realm,
  identity: actions.signIn.Identity = { email: '', fullName: '' },
  subject?: actions.signIn.Subject,
  language: string | null = null,
): Promise<number> {
  const { engine } = await getWorld();
  const { user } = await engine.perform(realm.id, actions.signIn.join, {
    realm,
    ...identity,
    subject,
    language,
    nowMs: Date.now(),
  });
  return user.id;
}
