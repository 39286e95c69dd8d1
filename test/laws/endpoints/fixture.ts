import * as actions from '@parley/actions';
import { csrfTokenOf, hashSessionToken, newSessionToken } from '@parley/http';
import * as model from '@parley/model';

import {
  type Person,
  type TestRealm,
  addWebhookFailure,
  createChannel,
  createGroup,
  confirmationPath,
  getWorld,
  makeExport,
  letManageAccounts,
  permit,
  realm,
  say,
  succeed,
  tell,
  uploadEmoji,
} from '../../support/index.ts';

/** What Alice, who walks, has at hand: messages that she received and sent, a public channel that she is in, a file. */
export interface Fixture extends TestRealm {
  botId: number;
  messageId: number;
  ownMessageId: number;
  upload: { id: number; path_id: string };
  channelId: number;
  folderId: number;
  fieldId: number;
  linkifierId: number;
  playgroundId: number;
  inviteId: number;
  inviteLinkId: number;
  defaultGroupId: number;
  draftId: number;
  snippetId: number;
  exportId: number;
  scheduledId: number;
  reminderId: number;
  groupId: number;
  innerGroupId: number;
  webhookFailureId: number;
  /** What Alice's browser sends along. */
  session: { cookie: string; csrfToken: string };
  /** The keys in links that were mailed, or handed on. */
  links: { join: string; unsubscribe: string; confirm: string };
}

export async function createFixture(): Promise<Fixture> {
  const home = await realm();
  const { owner, alice, bob } = home;
  const ids = await Promise.all([makeForOrganization(home), makeForAlice(home), letManageAccounts(owner)]);
  await alice.post(`/users/me/muted_users/${bob.id}`);
  const session = await startSession(alice);
  return { ...home, ...ids[0], ...ids[1], session, links: await makeLinks(home, ids[1]) };
}

/** Alice's session, as her browser has it. */
async function startSession({ id, actor, realm: { id: realmId } }: Person): Promise<Fixture['session']> {
  const { engine, secret } = await getWorld();
  const token = newSessionToken(id);
  const user = { id, keyGeneration: actor.keyGeneration };
  const session = { user, tokenHash: hashSessionToken(token), nowMs: Date.now() };
  await engine.perform(realmId, actions.sessions.start, session);
  return { cookie: `sessionid=${token}`, csrfToken: csrfTokenOf(secret, token) };
}

async function makeLinks(
  { realm: home, alice, bob }: TestRealm,
  { inviteLinkId }: { inviteLinkId: number },
): Promise<Fixture['links']> {
  const { secret } = await getWorld();
  await bob.patch('/settings', { email: 'bob@elsewhere.example' });
  return {
    join: model.invitations.invitationKey(secret, inviteLinkId),
    unsubscribe: lastStep(model.notifications.unsubscribeUrl(secret, home, alice.id)),
    confirm: lastStep(await confirmationPath(bob)),
  };
}

const lastStep = (path: string) => path.split('/').findLast(Boolean) ?? '';

async function makeForOrganization(home: TestRealm) {
  const { owner } = home;
  await Promise.all([uploadEmoji(home, 'walked'), owner.patch('/realm', { enable_read_receipts: true })]);
  const { channel_folder_id: folderId } = await owner.post('/channel_folders/create', {
    name: 'A folder',
    description: '',
  });
  await owner.post('/realm/domains', { domain: 'walked.example', allow_subdomains: false });
  const { id: fieldId } = await owner.post('/realm/profile_fields', { name: 'About', field_type: 1 });
  const { id: linkifierId } = await owner.post('/realm/filters', {
    pattern: 'case-(?P<n>[0-9]+)',
    url_template: 'https://ex.org/{n}',
  });
  const { id: playgroundId } = await owner.post('/realm/playgrounds', {
    name: 'A playground',
    pygments_language: 'Python',
    url_template: 'https://ex.org/{code}',
  });
  await owner.post('/default_stream_groups/create', {
    group_name: 'A group',
    description: '',
    stream_names: [],
  });
  const { realm_default_stream_groups: groups } = await owner.post('/register', {
    fetch_event_types: ['default_stream_groups'],
  });
  const exportId = await makeExport(owner);
  const defaultGroupId = groups[0].id as number;
  return { folderId, fieldId, linkifierId, playgroundId, exportId, defaultGroupId };
}

async function makeForAlice({ owner, alice, bob }: TestRealm) {
  await permit({ owner }, 'create_multiuse_invite_group', 'role:members');
  await alice.post('/invites', { invitee_emails: 'walked@new.example', stream_ids: [] });
  await alice.post('/invites/multiuse');
  const [{ id: inviteLinkId }, { id: inviteId }] = (await alice.get('/invites')).invites;
  const { user_id: botId } = await alice.post('/bots', { full_name: 'Walker', short_name: 'walker' });
  const messageId = await tell(bob, [alice]);
  await alice.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' });
  const ownMessageId = await tell(alice, [bob]);
  await alice.post('/users/me/presence', { status: 'active' });
  const channelId = await createChannel(alice, 'walks');
  await say(alice, channelId, 'walked');
  await alice.upload('/user_uploads', [{ name: 'a.txt', content: 'a', type: 'text/plain' }]);
  const [upload] = (await alice.get('/attachments')).attachments;
  const { ids } = await alice.post('/drafts', {
    drafts: [{ type: '', to: [], topic: '', content: 'later' }],
  });
  const { saved_snippet_id: snippetId } = await alice.post('/saved_snippets', { title: 'a', content: 'a' });
  const soon = Math.floor(Date.now() / 1000) + 86_400;
  const { scheduled_message_id: scheduledId } = await alice.post('/scheduled_messages', {
    type: 'direct',
    to: [bob.id],
    content: 'later',
    scheduled_delivery_timestamp: soon,
  });
  const { reminder_id: reminderId } = await alice.post('/reminders', {
    message_id: messageId,
    scheduled_delivery_timestamp: soon,
  });
  await alice.post('/navigation_views', { fragment: 'narrow/walks', is_pinned: true, name: 'Walks' });
  await alice.post('/users/me/apns_device_token', { token: 'abcdef0123456789', appid: 'org.example.app' });
  await alice.post('/users/me/android_gcm_reg_id', { token: 'fcm:Token_1' });
  const [draftId] = ids as number[];
  if (draftId === undefined) throw new Error('No draft was created.');
  const innerGroupId = await createGroup(alice, 'inner');
  const groupId = await createGroup(alice, 'group', [bob]);
  return {
    inviteId,
    inviteLinkId,
    botId,
    messageId,
    ownMessageId,
    channelId,
    upload,
    draftId,
    snippetId,
    scheduledId,
    reminderId,
    groupId,
    innerGroupId,
    webhookFailureId: await addWebhookFailure(botId, messageId),
  };
}

export async function letDeleteAndReport({ owner }: TestRealm): Promise<void> {
  const desk = await createChannel(owner, 'desk', [owner], { invite_only: true });
  await succeed(owner.patch('/realm', { moderation_request_channel_id: desk }));
  await permit({ owner }, 'can_delete_any_message_group', 'role:members');
}

/** A request that succeeds, by the name of its endpoint. */
export type Requests = Record<string, (fixture: Fixture) => Record<string, string>>;
