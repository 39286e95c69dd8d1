import { type Tx, type UserRow, tables } from '@parley/db';
import {
  type Actor,
  type Realm,
  emailVisibilities,
  isGuest,
  parseEmail,
  parseFullName,
  hasId,
} from '@parley/model';
import * as model from '@parley/model';
import {
  type Role,
  ApiError,
  type ActionResult,
  type PendingEvent,
  to,
  events,
  realmDeactivated,
} from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { type FirstChannels, subscribeNewUser } from '../channels/index.ts';
import { lockName, lockConversations } from '../lock.ts';
import { add as addMails } from '../mails/index.ts';
import { noticeEvents } from '../messages/index.ts';
import { memberEvents } from '../user-groups/index.ts';
import { newUserEvents } from './events.ts';
import { reserveName } from './names.ts';
import { welcomeEvents } from './welcome.ts';

export interface NewUser {
  email: string;
  fullName: string;
  role: Role;
  password?: string;
  /** The language of the browser that asks for it, in which it begins unless the organization has a language of its own. */
  language?: string | null;
  botType?: number;
  /** Whether the account, as an administrator's, may create accounts for others. */
  canCreateUsers?: boolean;
  botOwnerId?: number;
  defaultSendingChannelId?: number | null;
  defaultEventsChannelId?: number | null;
  defaultAllPublicChannels?: boolean;
  /** If undefined, the default channels, and none for a guest. */
  channels?: FirstChannels;
  /** Groups of the realm that it is in from the start, ascending. */
  groupIds?: number[];
  /** If set, it is greeted: by the welcome bot, with a text of its own or the realm's, and by mail where the realm wants that. */
  welcome?: { nowMs: number; text?: string | null };
  /**
   * It comes with an archive: the operator has decided about its address and name, and nobody is told of each.
   */
  isImported?: boolean;
  /** Where an outgoing-webhook bot calls. */
  service?: { baseUrl: string; interface: number; token: string };
}

/**
 * Creates an account for an administrator whom the operator of the server lets do so.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST without the operator's permission; for an invalid name, email address or password, or one that is
 * taken
 */
export async function createByAdministrator(tx: Tx, { actor, user }: { actor: Actor; user: NewUser }) {
  model.permissions.assertAdministrator(actor);
  const [account] = await tx
    .select({ mayCreate: tables.users.canCreateUsers })
    .from(tables.users)
    .where(hasId(tables.users, actor.realm, actor.id));
  if (!account?.mayCreate)
    throw new ApiError('BAD_REQUEST', 'You do not have permission to create accounts.');
  return await create(tx, { realm: actor.realm, ...user });
}
createByAdministrator.actionName = 'users.createByAdministrator' as const;

/**
 * Creates an account, subscribed to the default channels. It is announced where the realm announces new accounts, and
 * greeted if wanted.
 *
 * @throws BAD_REQUEST for an invalid name, email address or password, for a name or an address that is taken, or for an
 * address that the realm does not take
 */
export async function create(
  tx: Tx,
  { realm, service, channels, welcome, isImported = false, ...input }: { realm: Realm } & NewUser,
) {
  const { password, language, ...fields } = {
    ...input,
    email: parseEmail(input.email, 'Enter a valid email address.'),
    fullName: parseFullName(input.fullName),
  };
  const passwordHash = password === undefined ? null : await hashPassword(password, fields);
  await reserveEmail(tx, realm, fields.email);
  const row = await getActiveRealm(tx, realm);
  const membersId = realm.membersConversationId;
  const rules = await model.permissions.getRules(tx, realm.id);
  if (fields.botType === undefined && !isImported)
    await model.realmDomains.assertEmailAllowed(tx, realm.id, fields.email, rules);
  if (!isImported) await reserveName(tx, { id: 0, realm }, fields.fullName, rules);
  await lockConversations(tx, realm, [membersId]);

  const [user] = await tx
    .insert(tables.users)
    .values({
      ...(fields.botType === undefined && startingSettings(row, rules, language ?? 'en')),
      ...fields,
      passwordHash,
      realmId: realm.id,
      isFullMember: rules.settings.waiting_period_threshold === 0,
    })
    .returning();
  if (!user) throw new Error('An insert returned no row.');
  if (service) await tx.insert(tables.botServices).values({ ...service, realmId: realm.id, botId: user.id });

  const inDefaults = await model.accessChanges.withAccessChanges(
    tx,
    realm,
    rules,
    await subscribeNewUser(tx, realm, user, channels),
  );
  const groups = await model.userGroups.listUserGroupsById(tx, realm.id, user.groupIds);
  const result: ActionResult = {
    jobs:
      welcome && rules.settings.send_welcome_emails
        ? await addMails(
            tx,
            [{ realm, recipient: user.email, content: { kind: 'welcome', fullName: user.fullName } }],
            welcome.nowMs,
          )
        : [],
    events: [
      ...(await newUserEvents(tx, realm, user, rules)),
      ...model.permissions
        .systemGroupsOf(user)
        .map((name) =>
          to.everyone(events.userGroup.add_members({ group_id: rules.groupId(name), user_ids: [user.id] })),
        ),
      ...groups.flatMap((group) => memberEvents(group, 'add_members', [user.id])),
      ...inDefaults.events,
      ...(user.botType !== null ? [await model.bots.botAddedEvent(tx, user)] : []),
      ...(user.botType === null && !isImported ? await signupNotice(tx, realm, rules, user) : []),
      ...(welcome ? await welcomeEvents(tx, realm, user, welcome.text) : []),
    ],
    memberships: [
      ...(isGuest(user) ? [] : [{ conversationId: membersId, joined: [user.id], left: [] }]),
      ...(inDefaults.memberships ?? []),
    ],
    // Pending events of private channels may have an audience without the new member, who may see the channels.
    changesRules: !isGuest(user),
  };
  return { ...result, user };
}
create.actionName = 'users.create' as const;

const hashPassword = (password: string, { email, fullName }: { email: string; fullName: string }) =>
  model.users.hashNewPassword(
    password,
    [email, fullName],
    'This password is too easy to guess. Choose a longer one.',
  );

/** @throws BAD_REQUEST for an address that is taken */
async function reserveEmail(tx: Tx, realm: Realm, email: string): Promise<void> {
  const { users } = tables;
  await lockName(tx, 'email', realm.id, email);
  const hasEmail = and(eq(users.realmId, realm.id), eq(sql`lower(${users.email})`, email.toLowerCase()));
  const [other] = await tx.select({ id: users.id }).from(users).where(hasEmail);
  if (other) throw new ApiError('BAD_REQUEST', 'Another account already uses this email address.');
}

async function getActiveRealm(tx: Tx, realm: Realm) {
  const { realms } = tables;
  const [row] = await tx.select().from(realms).where(eq(realms.id, realm.id));
  if (!row) throw new Error(`Realm ${realm.id} does not exist.`);
  if (!row.isActive) throw realmDeactivated();
  return row;
}

/** What the account of a human starts with. Bots have none of it: their email addresses are visible to everyone. */
function startingSettings(
  { userDefaults }: Pick<typeof tables.realms.$inferSelect, 'userDefaults'>,
  rules: model.permissions.Rules,
  browserLanguage: string,
) {
  const { email_address_visibility: emailVisibility = emailVisibilities.everyone, ...defaults } =
    userDefaults;
  const ofRealm = rules.settings.default_language;
  const default_language = ofRealm === 'en' ? browserLanguage : ofRealm;
  return {
    settings: default_language === 'en' ? defaults : { ...defaults, default_language },
    emailVisibility,
  };
}

/** Events of a notice about a new account, in the realm's channel for them. */
async function signupNotice(
  tx: Tx,
  realm: Realm,
  rules: model.permissions.Rules,
  user: UserRow,
): Promise<PendingEvent[]> {
  const id = rules.settings.signup_announcements_stream_id;
  if (id === -1) return [];
  const { channels } = tables;
  const [channel] = await tx
    .select()
    .from(channels)
    .where(and(eq(channels.id, id), eq(channels.realmId, realm.id), eq(channels.isArchived, false)));
  if (!channel) return [];
  return await noticeEvents(tx, realm, { channel, topic: ({ account }) => account.topic }, ({ account }) =>
    account.joined(model.messages.silentMention(user)),
  );
}
