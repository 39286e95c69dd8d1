import {
  type Person,
  type TestRealm,
  createChannel,
  realm,
  leave,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { type Caller, administrators, insiders } from './callers.ts';

/** Alice, who is none of the callers, has made all of it. */
export interface Fixture extends TestRealm {
  callers: Record<Caller, Person>;
  privateId: number;
  publicId: number;
  /** In the private channel, in the public one, and to the insider alone. */
  privateMessage: number;
  publicMessage: number;
  directMessage: number;
  /** In a channel with protected history, which the member received and has left, and the moderator joined later. */
  protectedMessage: number;
  queueId: string;
  /** In the message in the private channel. */
  upload: { id: number; path: string };
}

/** What must never reach those outside: what was said, and that the channel exists, which administrators may know. */
export const secrets = [
  { text: 'zebra-words', isFor: insiders },
  { text: 'zebra-topic', isFor: insiders },
  { text: 'zebra-file', isFor: insiders },
  { text: 'zebra-room', isFor: [...insiders, ...administrators] },
  { text: 'zebra-hall', isFor: [...insiders, ...administrators, 'moderator'] },
];

/** An organization with something to know in it, and everyone at its doors. */
export async function createFixture(): Promise<Fixture> {
  const people = await realm();
  const { alice, bob, carol, owner, admin, moderator, guest, join } = people;
  const { owner: otherRealm } = await realm();
  const deactivated = await join({ name: 'Dora' });
  await succeed(owner.delete(`/users/${deactivated.id}`));
  await succeed(owner.patch('/realm', { enable_read_receipts: true }));

  const privateId = await createChannel(alice, 'zebra-room', [alice, bob], {
    invite_only: true,
    history_public_to_subscribers: true,
  });
  const hallId = await createChannel(alice, 'zebra-hall', [alice, bob, carol], {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  const protectedMessage = await say(alice, hallId, 'zebra-topic', 'zebra-words');
  await leave(carol, ['zebra-hall']);
  await subscribe(alice, 'zebra-hall', [moderator]);
  const publicId = await createChannel(alice, 'open');

  await alice.upload('/user_uploads', [{ name: 'zebra-file.txt', content: 'a', type: 'text/plain' }]);
  const [upload] = (await alice.get('/attachments')).attachments;

  const fixture: Fixture = {
    ...people,
    callers: {
      insider: bob,
      owner,
      administrator: admin,
      moderator,
      member: carol,
      guest,
      otherRealm,
      intruder: otherRealm,
      deactivated,
      anonymous: carol,
    },
    privateId,
    publicId,
    privateMessage: await say(
      alice,
      privateId,
      'zebra-topic',
      `zebra-words [zebra-file](/user_uploads/${upload.path_id})`,
    ),
    publicMessage: await say(alice, publicId),
    directMessage: await tell(alice, [bob], 'zebra-words'),
    protectedMessage,
    upload: { id: upload.id, path: upload.path_id },
    queueId: (await alice.listen()).queueId,
  };
  await succeed(alice.post('/users/me/presence', { status: 'active' }));
  for (const id of [fixture.privateMessage, fixture.publicMessage, protectedMessage]) {
    await succeed(alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }));
  }
  return fixture;
}
