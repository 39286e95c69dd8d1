import { type Params, type Person, type TestRealm, realm, succeed } from '../../support/index.ts';
import { type Caller, administrators, insiders } from './callers.ts';

/** Alice, who is none of the callers, has made all of it. */
export interface Scene extends TestRealm {
  callers: Record<Caller, Person>;
  privateId: number;
  publicId: number;
  /** In the private channel, in the public one, and to the insider alone. */
  privateMessage: number;
  publicMessage: number;
  directMessage: number;
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
];

/** An organization with something to know in it, and everyone at its doors. */
export async function prepare(): Promise<Scene> {
  const people = await realm();
  const { alice, bob, carol, owner, admin, moderator, guest, join } = people;
  const { owner: otherRealm } = await realm();
  const deactivated = await join({ name: 'Dora' });
  await succeed(owner.delete(`/users/${deactivated.id}`));
  await succeed(owner.patch('/realm', { enable_read_receipts: true }));

  const subscribe = (name: string, principals: Person[], more: Params = {}) =>
    succeed(
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: principals.map(({ id }) => id),
        ...more,
      }),
    );
  await subscribe('zebra-room', [alice, bob], { invite_only: true, history_public_to_subscribers: true });
  await subscribe('open', [alice]);
  const { streams } = await alice.get('/streams');
  const idOf = (wanted: string): number =>
    streams.find(({ name }: { name: string }) => name === wanted).stream_id;
  const send = async (params: Params): Promise<number> =>
    (await alice.post('/messages', { content: 'zebra-words', topic: 'zebra-topic', ...params })).id;

  await alice.upload('/user_uploads', [{ name: 'zebra-file.txt', content: 'a', type: 'text/plain' }]);
  const [upload] = (await alice.get('/attachments')).attachments;

  const scene: Scene = {
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
    privateId: idOf('zebra-room'),
    publicId: idOf('open'),
    privateMessage: await send({
      type: 'channel',
      to: idOf('zebra-room'),
      content: `zebra-words [zebra-file](/user_uploads/${upload.path_id})`,
    }),
    publicMessage: await send({ type: 'channel', to: idOf('open'), content: 'x', topic: 't' }),
    directMessage: await send({ type: 'direct', to: [bob.id] }),
    upload: { id: upload.id, path: upload.path_id },
    queueId: (await alice.listen()).queueId,
  };
  await succeed(alice.post('/users/me/presence', { status: 'active' }));
  for (const id of [scene.privateMessage, scene.publicMessage]) {
    await succeed(alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }));
  }
  return scene;
}
