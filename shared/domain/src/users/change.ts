import type { Tx } from '@parley/db';
import { type Draft, type UserChange, events, to } from '@parley/protocol';

import type { Realm } from '../actor.ts';
import { draftOfBot } from '../bots/draft.ts';
import type { Rules } from '../realms/rules.ts';
import type { UserRow } from './find.ts';
import { avatarUrl, presentAvatar, presentUser, publicEmail } from './present.ts';
import {
  type Audience,
  audienceOf,
  draft,
  emailAudiences,
  emailVisibilityAudiences,
  listBlindGuests,
} from './sight.ts';

type Home = Pick<Realm, 'id' | 'host' | 'membersConversationId'>;

const update = (person: UserChange, audience: Audience): Draft =>
  draft(events.realmUser.update({ person }), audience);

/** What those who see someone new are told: with the real address those who may know it. */
export async function draftsOfNewcomer(tx: Tx, home: Home, user: UserRow, rules: Rules): Promise<Draft[]> {
  const add = (viewer: { id: number; role: number }) => {
    const view = { viewer, realmHost: home.host, clientGravatar: false, profiles: new Map() };
    return events.realmUser.add({ people: [{ ...presentUser(user, view), is_active: user.isActive }] });
  };
  const { seeing, blind } = await emailAudiences(tx, home, user, rules);
  const guests = await listBlindGuests(tx, home.id, user, rules);
  const unknown = { user_ids: [user.id], realm_host: home.host };
  return [
    draft(add(user), seeing),
    ...(blind ? [draft(add({ id: 0, role: 1000 }), blind)] : []),
    ...(guests.length > 0 ? [to.users(guests, events.realmUser.add({ unknown }))] : []),
  ];
}

/**
 * What those who see a user are told of a change to the row, in the order of reference/events.md 5: name, time zone,
 * address and who may know it. Whatever else differs is another's to tell.
 */
export async function draftsOfChange(
  tx: Tx,
  home: Home,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<Draft[]> {
  const everyone = await audienceOf(tx, home, after, rules);
  const user_id = after.id;
  const drafts: Draft[] = [];
  if (before.fullName !== after.fullName) {
    drafts.push(update({ user_id, full_name: after.fullName }, everyone));
    if (after.botType !== null) drafts.push(await draftOfBot(tx, after, { full_name: after.fullName }));
  }
  if (before.timezone !== after.timezone) {
    const email = publicEmail(before, home.host);
    drafts.push(update({ user_id, email, timezone: after.timezone }, everyone));
  }
  drafts.push(...(await draftsOfAddress(tx, home, before, after, rules)));
  const address: Draft[] = [];
  if (publicEmail(before, home.host) !== publicEmail(after, home.host)) {
    address.push(update({ user_id, new_email: publicEmail(after, home.host) }, everyone));
  }
  if (avatarUrl(before) !== avatarUrl(after)) {
    const person = { user_id, ...presentAvatar(after), avatar_version: after.avatarVersion };
    if (after.botType !== null) drafts.push(await draftOfBot(tx, after, { avatar_url: avatarUrl(after) }));
    address.push(update(person, everyone));
  }
  // A new address brings its picture along; one that is shown or hidden comes before it.
  return [...drafts, ...(before.email === after.email ? address : address.reverse())];
}

async function draftsOfAddress(tx: Tx, home: Home, before: UserRow, after: UserRow, rules: Rules) {
  const known = { user_id: after.id, delivery_email: after.email };
  const hidden = { user_id: after.id, delivery_email: null };
  const drafts: Draft[] = [];
  if (before.emailVisibility !== after.emailVisibility) {
    const { gainers, losers } = await emailVisibilityAudiences(tx, home, before, after, rules);
    if (gainers) drafts.push(update(known, gainers));
    if (losers) drafts.push(update(hidden, losers));
  }
  if (before.email !== after.email) {
    const { seeing } = await emailAudiences(tx, home, after, rules);
    drafts.push(update(known, seeing));
  }
  return drafts;
}
