import * as actions from '@parley/actions';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, realmFlags, userArgument } from '../../flags.ts';
import { printable } from '../../table.ts';

/** The rights by their names, which are those of columns of `users`. */
const rights = {
  can_create_users: 'canCreateUsers',
  can_change_user_emails: 'canChangeUserEmails',
  can_forge_sender: 'canForgeSender',
} as const satisfies Record<string, keyof actions.users.OperatorRights>;
type Right = keyof typeof rights;
/** Safe: these are the keys. */
const names = Object.keys(rights) as Right[];

const changing = (isGiven: boolean) =>
  async function run(this: Context, { realm }: RealmFlags, email: string, right: Right): Promise<void> {
    await using deployment = await this.open();
    const home = await deployment.getRealm(realm);
    const user = await deployment.getUser(home, email);
    await deployment.engine.perform(home.id, actions.users.setRights, {
      realm: home,
      userId: user.id,
      rights: { [rights[right]]: isGiven },
    });
    this.show(
      { user_id: user.id, email: user.email, [right]: isGiven },
      `${printable(user.fullName)}: ${right} ${isGiven ? 'granted' : 'revoked'}.`,
    );
  };

const parameters = {
  flags: realmFlags,
  positional: {
    kind: 'tuple',
    parameters: [
      userArgument,
      {
        parse: (text: string) => parseRight(text),
        proposeCompletions: () => names,
        placeholder: 'right',
        brief: names.join(', '),
      },
    ],
  },
} as const;

function parseRight(text: string): Right {
  const right = names.find((name) => name === text);
  if (!right) throw new Error(`There is no right ${text}. Choose one of: ${names.join(', ')}`);
  return right;
}

const about =
  'Rights beyond a role, which only the operator gives: an administrator with can_create_users creates accounts for others, an owner with can_change_user_emails changes their addresses, and can_forge_sender lets a program mirror another service in the names of its users.';

export const userGrantCommand = buildCommand({
  func: changing(true),
  parameters,
  docs: {
    brief: 'Grant an account a right that no role has',
    fullDescription: about,
    customUsage: [
      'olivia@acme.example can_create_users',
      'mirror-bot@acme.example can_forge_sender --realm acme',
    ],
  },
});

export const userRevokeCommand = buildCommand({
  func: changing(false),
  parameters,
  docs: {
    brief: 'Revoke such a right',
    fullDescription: about,
    customUsage: ['olivia@acme.example can_create_users'],
  },
});
