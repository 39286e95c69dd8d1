import { joined } from '../../support/index.ts';
import * as accounts from './accounts.ts';
import type { Actions, Exercised } from './action.ts';
import * as channels from './channels.ts';
import * as edits from './edits.ts';
import * as exports from './exports.ts';
import * as files from './files.ts';
import * as guests from './guests.ts';
import * as invitations from './invitations.ts';
import * as linkifiers from './linkifiers.ts';
import * as messages from './messages.ts';
import * as organization from './organization.ts';
import * as people from './people.ts';
import * as personal from './personal.ts';
import * as scheduled from './scheduled.ts';
import * as subscriptions from './subscriptions.ts';
import * as userGroups from './user-groups.ts';
import * as webhooks from './webhooks.ts';

export type { Action, Actions } from './action.ts';

/** Everything that changes what clients are shown: an entry per action, by files. */
export const actionsByFile: readonly Actions[] = [
  messages.actions,
  edits.actions,
  exports.actions,
  files.actions,
  accounts.actions,
  guests.actions,
  people.actions,
  personal.actions,
  organization.actions,
  invitations.actions,
  linkifiers.actions,
  scheduled.actions,
  subscriptions.actions,
  channels.actions,
  userGroups.actions,
  webhooks.actions,
];

/** The same in one. */
export const actions: Actions = joined(...actionsByFile);

/** Which of the above exercises each file that makes events; null where none of them enters the log. */
export const exercised: Exercised = joined(
  messages.exercised,
  edits.exercised,
  exports.exercised,
  files.exercised,
  accounts.exercised,
  guests.exercised,
  people.exercised,
  personal.exercised,
  organization.exercised,
  invitations.exercised,
  linkifiers.exercised,
  scheduled.exercised,
  subscriptions.exercised,
  channels.exercised,
  userGroups.exercised,
  webhooks.exercised,
);
