import { joined } from '../../support/index.ts';
import * as browser from './browser.ts';
import * as channels from './channels.ts';
import * as exports from './exports.ts';
import * as files from './files.ts';
import * as imports from './imports.ts';
import * as invitations from './invitations.ts';
import * as linkifiers from './linkifiers.ts';
import * as messages from './messages.ts';
import * as newcomers from './newcomers.ts';
import * as organization from './organization.ts';
import * as people from './people.ts';
import * as personal from './personal.ts';
import * as profileFields from './profile-fields.ts';
import * as push from './push.ts';
import * as scheduled from './scheduled.ts';
import * as sessions from './sessions.ts';
import * as userGroups from './user-groups.ts';
import * as users from './users.ts';
import * as webhookFailures from './webhook-failures.ts';

const resources = [
  browser,
  channels,
  exports,
  files,
  imports,
  invitations,
  linkifiers,
  messages,
  newcomers,
  organization,
  people,
  personal,
  profileFields,
  push,
  scheduled,
  sessions,
  userGroups,
  users,
  webhookFailures,
];

/** What each endpoint may be asked for by whom. */
export const access = joined(...resources.map((resource) => resource.access));

/** A request that succeeds, for each endpoint: what the walks over endpoints start from. */
export const requests = joined(...resources.map((resource) => resource.requests));
