import type { Tx, UserRow } from '@parley/db';
import {
  type Realm,
  toAudience,
  type Rules,
  presentUser,
  emailAudiences,
  guestsWithoutAccess,
  userAudience,
  botUpdatedEvent,
  publicEmail,
  avatarUrl,
  presentAvatar,
  emailVisibilityAudiences,
} from '@parley/model';
import { type UserChange, type Audience, type PendingEvent, events, to } from '@parley/protocol';

/** What events of users depend on in their realm. */
type RealmOfUsers = Pick<Realm, 'id' | 'emailDomain' | 'membersConversationId'>;

/** A viewer who may not see any email address. */
const viewerWithoutAccess = { id: 0, role: 1000 };

const update = (person: UserChange, audience: Audience): PendingEvent =>
  toAudience(events.realmUser.update({ person }), audience);

/**
 * Events of a new user for everyone who may see the user: with the real email address for those who may see it, and as
 * an unknown user for guests who may not see the user.
 */
export async function newUserEvents(
  tx: Tx,
  realm: RealmOfUsers,
  user: UserRow,
  rules: Rules,
): Promise<PendingEvent[]> {
  const add = (viewer: { id: number; role: number }) => {
    const view = { viewer, emailDomain: realm.emailDomain, clientGravatar: false, profiles: new Map() };
    return events.realmUser.add({ people: [{ ...presentUser(user, view), is_active: user.isActive }] });
  };
  const { withEmail, withoutEmail } = await emailAudiences(tx, realm, user, rules);
  const guests = await guestsWithoutAccess(tx, realm.id, user, rules);
  const unknown = { user_ids: [user.id], realm_host: realm.emailDomain };
  return [
    toAudience(add(user), withEmail),
    ...(withoutEmail ? [toAudience(add(viewerWithoutAccess), withoutEmail)] : []),
    ...(guests.length > 0 ? [to.users(guests, events.realmUser.add({ unknown }))] : []),
  ];
}

/**
 * Events of a change to a user's row, for everyone who may see the user. Clients expect the name first, then the time
 * zone, then the email address and who may see it. Other columns make no event here.
 */
export async function userChangeEvents(
  tx: Tx,
  realm: RealmOfUsers,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<PendingEvent[]> {
  const everyone = await userAudience(tx, realm, after, rules);
  const user_id = after.id;
  const pending: PendingEvent[] = [];
  if (before.fullName !== after.fullName) {
    pending.push(update({ user_id, full_name: after.fullName }, everyone));
    if (after.botType !== null) pending.push(await botUpdatedEvent(tx, after, { full_name: after.fullName }));
  }
  if (before.timezone !== after.timezone) {
    const email = publicEmail(before, realm.emailDomain);
    pending.push(update({ user_id, email, timezone: after.timezone }, everyone));
  }
  pending.push(...(await emailEvents(tx, realm, before, after, rules)));
  const publicChanges: PendingEvent[] = [];
  if (publicEmail(before, realm.emailDomain) !== publicEmail(after, realm.emailDomain)) {
    publicChanges.push(update({ user_id, new_email: publicEmail(after, realm.emailDomain) }, everyone));
  }
  if (avatarUrl(before) !== avatarUrl(after)) {
    const person = { user_id, ...presentAvatar(after), avatar_version: after.avatarVersion };
    if (after.botType !== null)
      pending.push(await botUpdatedEvent(tx, after, { avatar_url: avatarUrl(after) }));
    publicChanges.push(update(person, everyone));
  }
  // The avatar comes before a new email address, and after one that is shown or hidden.
  return [...pending, ...(before.email === after.email ? publicChanges : publicChanges.reverse())];
}

async function emailEvents(tx: Tx, realm: RealmOfUsers, before: UserRow, after: UserRow, rules: Rules) {
  const shown = { user_id: after.id, delivery_email: after.email };
  const hidden = { user_id: after.id, delivery_email: null };
  const pending: PendingEvent[] = [];
  if (before.emailVisibility !== after.emailVisibility) {
    const { gainers, losers } = await emailVisibilityAudiences(tx, realm, before, after, rules);
    if (gainers) pending.push(update(shown, gainers));
    if (losers) pending.push(update(hidden, losers));
  }
  if (before.email !== after.email) {
    const { withEmail } = await emailAudiences(tx, realm, after, rules);
    pending.push(update(shown, withEmail));
  }
  return pending;
}
