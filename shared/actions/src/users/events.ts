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

type AudienceRealm = Pick<Realm, 'id' | 'host' | 'membersConversationId'>;

const update = (person: UserChange, audience: Audience): PendingEvent =>
  toAudience(events.realmUser.update({ person }), audience);

/** What those who see someone new are told: with the real address those who may know it. */
export async function newUserEvents(
  tx: Tx,
  home: AudienceRealm,
  user: UserRow,
  rules: Rules,
): Promise<PendingEvent[]> {
  const add = (viewer: { id: number; role: number }) => {
    const view = { viewer, realmHost: home.host, clientGravatar: false, profiles: new Map() };
    return events.realmUser.add({ people: [{ ...presentUser(user, view), is_active: user.isActive }] });
  };
  const { withEmail, withoutEmail } = await emailAudiences(tx, home, user, rules);
  const guests = await guestsWithoutAccess(tx, home.id, user, rules);
  const unknown = { user_ids: [user.id], realm_host: home.host };
  return [
    toAudience(add(user), withEmail),
    ...(withoutEmail ? [toAudience(add({ id: 0, role: 1000 }), withoutEmail)] : []),
    ...(guests.length > 0 ? [to.users(guests, events.realmUser.add({ unknown }))] : []),
  ];
}

/**
 * What those who see a user are told of a change to the row, in the order of reference/events.md 5: name, time zone,
 * address and who may know it. Whatever else differs is another's to tell.
 */
export async function userChangeEvents(
  tx: Tx,
  home: AudienceRealm,
  before: UserRow,
  after: UserRow,
  rules: Rules,
): Promise<PendingEvent[]> {
  const everyone = await userAudience(tx, home, after, rules);
  const user_id = after.id;
  const pending: PendingEvent[] = [];
  if (before.fullName !== after.fullName) {
    pending.push(update({ user_id, full_name: after.fullName }, everyone));
    if (after.botType !== null) pending.push(await botUpdatedEvent(tx, after, { full_name: after.fullName }));
  }
  if (before.timezone !== after.timezone) {
    const email = publicEmail(before, home.host);
    pending.push(update({ user_id, email, timezone: after.timezone }, everyone));
  }
  pending.push(...(await emailEvents(tx, home, before, after, rules)));
  const address: PendingEvent[] = [];
  if (publicEmail(before, home.host) !== publicEmail(after, home.host)) {
    address.push(update({ user_id, new_email: publicEmail(after, home.host) }, everyone));
  }
  if (avatarUrl(before) !== avatarUrl(after)) {
    const person = { user_id, ...presentAvatar(after), avatar_version: after.avatarVersion };
    if (after.botType !== null)
      pending.push(await botUpdatedEvent(tx, after, { avatar_url: avatarUrl(after) }));
    address.push(update(person, everyone));
  }
  // A new address brings its picture along; one that is shown or hidden comes before it.
  return [...pending, ...(before.email === after.email ? address : address.reverse())];
}

async function emailEvents(tx: Tx, home: AudienceRealm, before: UserRow, after: UserRow, rules: Rules) {
  const known = { user_id: after.id, delivery_email: after.email };
  const hidden = { user_id: after.id, delivery_email: null };
  const pending: PendingEvent[] = [];
  if (before.emailVisibility !== after.emailVisibility) {
    const { gainers, losers } = await emailVisibilityAudiences(tx, home, before, after, rules);
    if (gainers) pending.push(update(known, gainers));
    if (losers) pending.push(update(hidden, losers));
  }
  if (before.email !== after.email) {
    const { withEmail } = await emailAudiences(tx, home, after, rules);
    pending.push(update(known, withEmail));
  }
  return pending;
}
