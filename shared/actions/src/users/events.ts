import type { Tx, UserRow } from '@parley/db';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import { type UserChange, type Audience, type PendingEvent, events, to } from '@parley/protocol';

/** What events of users depend on in their realm. */
type RealmOfUsers = Pick<Realm, 'id' | 'emailDomain' | 'membersConversationId'>;

/** A viewer who may not see any email address. */
const viewerWithoutAccess = { id: 0, role: 1000 };

const update = (person: UserChange, audience: Audience): PendingEvent =>
  model.access.toAudience(events.realmUser.update({ person }), audience);

/**
 * Returns events of a new user for everyone who may see the user: with the real email address for those who may see it,
 * and as an unknown user for guests who may not see the user.
 */
export async function newUserEvents(
  tx: Tx,
  realm: RealmOfUsers,
  user: UserRow,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const add = (viewer: { id: number; role: number }) => {
    const view = { viewer, emailDomain: realm.emailDomain, clientGravatar: false, profiles: new Map() };
    return events.realmUser.add({
      people: [{ ...model.users.presentUser(user, view), is_active: user.isActive }],
    });
  };
  const { withEmail, withoutEmail } = await model.access.emailAudiences(tx, realm, user, rules);
  const guests = await model.access.guestsWithoutAccess(tx, realm.id, user, rules);
  const unknown = { user_ids: [user.id], realm_host: realm.emailDomain };
  return [
    model.access.toAudience(add(user), withEmail),
    ...(withoutEmail ? [model.access.toAudience(add(viewerWithoutAccess), withoutEmail)] : []),
    ...(guests.length > 0 ? [to.users(guests, events.realmUser.add({ unknown }))] : []),
  ];
}

/**
 * Returns events of a change to a user's row, for everyone who may see the user. Clients expect the name first, then
 * the time zone, then the email address and who may see it. Other columns make no event here.
 */
export async function userChangeEvents(
  tx: Tx,
  realm: RealmOfUsers,
  before: UserRow,
  after: UserRow,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const everyone = await model.access.userAudience(tx, realm, after, rules);
  const user_id = after.id;
  const pending: PendingEvent[] = [];
  if (before.fullName !== after.fullName) {
    pending.push(update({ user_id, full_name: after.fullName }, everyone));
    if (after.botType !== null)
      pending.push(await model.bots.botUpdatedEvent(tx, after, { full_name: after.fullName }));
  }
  if (before.timezone !== after.timezone) {
    const email = model.users.publicEmail(before, realm.emailDomain);
    pending.push(update({ user_id, email, timezone: after.timezone }, everyone));
  }
  pending.push(...(await emailEvents(tx, realm, before, after, rules)));
  const publicChanges: PendingEvent[] = [];
  if (
    model.users.publicEmail(before, realm.emailDomain) !== model.users.publicEmail(after, realm.emailDomain)
  ) {
    publicChanges.push(
      update({ user_id, new_email: model.users.publicEmail(after, realm.emailDomain) }, everyone),
    );
  }
  if (model.users.avatarUrl(before) !== model.users.avatarUrl(after)) {
    const person = { user_id, ...model.users.presentAvatar(after), avatar_version: after.avatarVersion };
    if (after.botType !== null)
      pending.push(await model.bots.botUpdatedEvent(tx, after, { avatar_url: model.users.avatarUrl(after) }));
    publicChanges.push(update(person, everyone));
  }
  // The avatar comes before a new email address, and after one that is shown or hidden.
  return [...pending, ...(before.email === after.email ? publicChanges : publicChanges.reverse())];
}

async function emailEvents(
  tx: Tx,
  realm: RealmOfUsers,
  before: UserRow,
  after: UserRow,
  rules: model.permissions.Rules,
) {
  const shown = { user_id: after.id, delivery_email: after.email };
  const hidden = { user_id: after.id, delivery_email: null };
  const pending: PendingEvent[] = [];
  if (before.emailVisibility !== after.emailVisibility) {
    const { gainers, losers } = await model.access.emailVisibilityAudiences(tx, realm, before, after, rules);
    if (gainers) pending.push(update(shown, gainers));
    if (losers) pending.push(update(hidden, losers));
  }
  if (before.email !== after.email) {
    const { withEmail } = await model.access.emailAudiences(tx, realm, after, rules);
    pending.push(update(shown, withEmail));
  }
  return pending;
}
