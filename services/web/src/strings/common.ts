import type { Role } from '@parley/client';

import { catalogue, icu } from './catalogue.ts';
import { enumerate, listNames } from './language.ts';

/** What several areas say. */
export const commonText = catalogue('common', {
  add: 'Add',
  cancel: 'Cancel',
  channel: 'Channel',
  close: 'Close',
  create: 'Create',
  delete: 'Delete',
  description: 'Description',
  edit: 'Edit',
  emailAddress: 'Email address',
  imageMissing: 'Choose an image first.',
  loading: 'Loading…',
  logIn: 'Log in',
  name: 'Name',
  nobody: 'Nobody',
  password: 'Password',
  preview: 'Preview',
  remove: 'Remove',
  removeName: icu('Remove {name}', 'name'),
  save: 'Save',
  search: 'Search',
  suggestions: 'Suggestions',
  topic: 'Topic',
  tryAgain: 'Try again',
  more: icu('and {count} more', 'count'),
  others: icu('{count} more', 'count'),
});

/** Names, and how many there are beside them. */
export const namesAndMore = (names: readonly string[], more: number): string =>
  more > 0 ? enumerate([...names, commonText.others(more)]) : listNames(names);

/** What is shown where a name is missing. */
export const nameText = catalogue('name', {
  channel: icu('Unknown channel ({id})', 'id'),
  generalChat: 'general chat',
  group: icu('Unknown group ({id})', 'id'),
  someone: 'Someone',
  user: icu('Unknown user ({id})', 'id'),
  you: 'You',
  yourself: 'Yourself',
});

/** The roles, by their numbers. */
export const roleText: Readonly<Record<Role, string>> = catalogue('role', {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
});

/** The system groups of every organization, by their names on the wire. */
export const systemGroupText: Readonly<Record<string, string>> = catalogue('systemGroup', {
  'role:everyone': 'Everyone, including guests',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
});

/** How a user treats a topic, by the values of `visibility_policy`. */
export const topicPolicyText = catalogue('topicPolicy', {
  0: 'Default for channel',
  1: 'Muted',
  2: 'Unmuted',
  3: 'Followed',
});
