import type { Role } from '@parley/client';

import { enumerate } from './language.ts';

/** What several areas say. */
export const commonText = {
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
  removeName: (name: string) => `Remove ${name}`,
  save: 'Save',
  search: 'Search',
  suggestions: 'Suggestions',
  topic: 'Topic',
  tryAgain: 'Try again',
  more: (count: number) => `and ${count} more`,
  namesAndMore: (names: readonly string[], more: number) =>
    more > 0 ? enumerate([...names, `${more} more`]) : names.join(', '),
};

/** What is shown where a name is missing. */
export const nameText = {
  channel: (id: number) => `Unknown channel (${id})`,
  generalChat: 'general chat',
  group: (id: number) => `Unknown group (${id})`,
  someone: 'Someone',
  user: (id: number) => `Unknown user (${id})`,
  you: 'You',
  yourself: 'Yourself',
};

/** The roles, by their numbers. */
export const roleText: Readonly<Record<Role, string>> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
};

/** The system groups of every organization, by their names on the wire. */
export const systemGroupText: Readonly<Record<string, string>> = {
  'role:everyone': 'Everyone, including guests',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
};

/** How a user treats a topic, by the values of `visibility_policy`. */
export const topicPolicyText = {
  0: 'Default for channel',
  1: 'Muted',
  2: 'Unmuted',
  3: 'Followed',
} as const;
