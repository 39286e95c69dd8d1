import { fullUserSettings, roles } from '@parley/protocol';

import type { Actor, Realm } from '../actor.ts';
import { emailVisibilities } from '../email-visibility.ts';

/** The id of operators. No account has it, so nothing belongs to an operator. */
const operatorId = -1;

/** Returns the actor for changes that the operator of the deployment makes: an owner without an account. */
export const operatorOf = (realm: Realm): Actor => ({
  id: operatorId,
  realm,
  email: '',
  fullName: 'Operator',
  role: roles.owner,
  isFullMember: true,
  groupIds: [],
  botType: null,
  botOwnerId: null,
  emailVisibility: emailVisibilities.nobody,
  avatarPath: null,
  avatarVersion: 1,
  timezone: '',
  joinedAt: new Date(0),
  settings: fullUserSettings({}),
  keyGeneration: 0,
  mayForgeSender: false,
  lastActiveOn: null,
});
