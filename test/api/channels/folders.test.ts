import { describe, expect, test } from 'vitest';

import { type Json, type Person, outcomeOf, realm } from '../../support/index.ts';

const make = (by: Person, name: string, description = '') =>
  by.post('/channel_folders/create', { name, description });

describe('channel folders', () => {
  test('are made last, told to everyone, changed, ordered and put away', async () => {
    const { owner, admin, guest } = await realm();
    const phone = await guest.listen();
    const { channel_folder_id: work } = await make(owner, ' Work ', 'Do *it*');
    const { channel_folder_id: play } = await make(admin, 'Play');
    expect(await phone.hears()).toMatchObject([
      {
        type: 'channel_folder',
        op: 'add',
        channel_folder: { id: work, name: 'Work', order: work, creator_id: owner.id, is_archived: false },
      },
      { channel_folder: { id: play, rendered_description: '' } },
    ]);
    await admin.patch('/channel_folders', { order: [play, work] });
    await owner.patch(`/channel_folders/${work}`, { description: 'Rest', is_archived: true });
    expect(await phone.hears()).toMatchObject([
      { op: 'reorder', order: [play, work] },
      {
        op: 'update',
        channel_folder_id: work,
        data: { description: 'Rest', rendered_description: '<p>Rest</p>', is_archived: true },
      },
    ]);
    const listed = async (params: object) =>
      (await guest.get('/channel_folders', { ...params })).channel_folders.map(({ name }: Json) => name);
    expect(await listed({})).toEqual(['Play']);
    expect(await listed({ include_archived: true })).toEqual(['Play', 'Work']);
    const { channel_folders } = await guest.post('/register', { fetch_event_types: ['channel_folders'] });
    expect(channel_folders).toMatchObject([
      { id: play, order: 0 },
      { id: work, order: 1, is_archived: true },
    ]);
  });

  test('refuse what they cannot be', async () => {
    const { owner, alice } = await realm();
    const { channel_folder_id: work } = await make(owner, 'Work');
    expect(outcomeOf(await make(alice, 'Mine'))).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(outcomeOf(await make(owner, ' '))).toBe('Enter a name for the channel folder.');
    expect(outcomeOf(await make(owner, 'WORK'))).toBe('Another channel folder already has this name.');
    expect(outcomeOf(await make(owner, 'a\u0007'))).toBe(
      'The name of the channel folder contains a character that is not allowed, at position 2.',
    );
    expect(outcomeOf(await make(owner, 'x'.repeat(61)))).toBe('name can have at most 60 characters.');
    expect(outcomeOf(await make(owner, 'x', 'x'.repeat(1025)))).toBe(
      'description can have at most 1024 characters.',
    );
    expect(outcomeOf(await owner.patch('/channel_folders', { order: [] }))).toBe(
      'List every id exactly once.',
    );
    expect(outcomeOf(await owner.patch('/channel_folders', { order: [work, work] }))).toBe(
      'List every id exactly once.',
    );
    expect(outcomeOf(await owner.patch('/channel_folders/999999', { name: 'x' }))).toBe(
      'This channel folder does not exist.',
    );
    await owner.post('/channels/create', { name: 'in it', subscribers: [], folder_id: work });
    const archive = (is_archived: boolean) => owner.patch(`/channel_folders/${work}`, { is_archived });
    expect(outcomeOf(await archive(true))).toBe(
      'Move all channels out of this folder before you archive it.',
    );
    const { stream_id } = await owner.get('/get_stream_id', { stream: 'in it' });
    await owner.patch(`/streams/${stream_id}`, { folder_id: null });
    expect(outcomeOf(await archive(true))).toBe('ok');
    expect(outcomeOf(await owner.patch(`/streams/${stream_id}`, { folder_id: work }))).toBe(
      'This channel folder does not exist.',
    );
    await make(owner, 'Work');
    expect(outcomeOf(await archive(false))).toBe('Another channel folder already has this name.');
  });

  test('channel folders of another organization are out of reach', async () => {
    const [{ owner }, other] = [await realm(), await realm()];
    const { channel_folder_id } = await make(owner, 'Work');
    expect(outcomeOf(await other.owner.patch(`/channel_folders/${channel_folder_id}`, { name: 'x' }))).toBe(
      'This channel folder does not exist.',
    );
    const reply = await other.owner.post('/channels/create', {
      name: 'x',
      subscribers: [],
      folder_id: channel_folder_id,
    });
    expect(outcomeOf(reply)).toBe('This channel folder does not exist.');
  });
});
