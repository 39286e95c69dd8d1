import { type Tab, Tabbed } from '../../base/forms/tabbed.tsx';
import { own } from '../../data/live/state.ts';
import { isAdmin, may } from '../../data/people/rights.ts';
import { administrationText } from '../../strings/administration.ts';
import { Bots } from './bots.tsx';
import { Channels } from './channels.tsx';
import { Emoji } from './emoji.tsx';
import { Exports } from './exports.tsx';
import { Groups } from './groups.tsx';
import { Imports } from './imports.tsx';
import { Invitations } from './invitations.tsx';
import { Linkifiers } from './linkifiers.tsx';
import { Newcomers } from './newcomers.tsx';
import { Organization } from './organization.tsx';
import { People } from './people.tsx';
import { Permissions } from './permissions.tsx';
import { Playgrounds } from './playgrounds.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { WebhookFailures } from './webhook-failures.tsx';

const mayInvite = () => isAdmin() || may('can_invite_users_group') || may('create_multiuse_invite_group');
const mayCreateChannels = () =>
  may('can_create_public_channel_group') || may('can_create_private_channel_group');
const mayMakeBots = () => may('can_create_bots_group') || may('can_create_write_only_bots_group');
const isMember = () => !own('is_guest');

const tabs: readonly (Tab & { readonly isFor: () => boolean })[] = [
  { path: 'people', title: administrationText.people, component: People, isFor: isAdmin },
  { path: 'invitations', title: administrationText.invitations, component: Invitations, isFor: mayInvite },
  { path: 'groups', title: administrationText.groups, component: Groups, isFor: isMember },
  {
    path: 'channels',
    title: administrationText.channels,
    component: Channels,
    isFor: () => isAdmin() || (isMember() && mayCreateChannels()),
  },
  { path: 'organization', title: administrationText.organization, component: Organization, isFor: isAdmin },
  { path: 'new-users', title: administrationText.newcomers, component: Newcomers, isFor: isAdmin },
  { path: 'permissions', title: administrationText.permissions, component: Permissions, isFor: isAdmin },
  { path: 'bots', title: administrationText.bots, component: Bots, isFor: () => isAdmin() || mayMakeBots() },
  {
    path: 'emoji',
    title: administrationText.emoji,
    component: Emoji,
    isFor: () => may('can_add_custom_emoji_group'),
  },
  { path: 'linkifiers', title: administrationText.linkifiers, component: Linkifiers, isFor: isAdmin },
  { path: 'playgrounds', title: administrationText.playgrounds, component: Playgrounds, isFor: isAdmin },
  {
    path: 'profile-fields',
    title: administrationText.profileFields,
    component: ProfileFields,
    isFor: isAdmin,
  },
  { path: 'exports', title: administrationText.exports, component: Exports, isFor: isAdmin },
  { path: 'imports', title: administrationText.imports, component: Imports, isFor: () => own('is_owner') },
  { path: 'webhooks', title: administrationText.webhooks, component: WebhookFailures, isFor: isAdmin },
];

/** Shows the pages of administration that the person has permissions for, and no others. */
export const Administration = () => (
  <Tabbed
    base="administration"
    name={administrationText.organization}
    tabs={tabs.filter(({ isFor }) => isFor())}
  />
);
