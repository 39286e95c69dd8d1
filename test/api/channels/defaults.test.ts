import { describe, expect, test } from 'vitest';

import { type Person, createChannel, outcomeOf, realm } from '../../support/index.ts';

const stateOf = (by: Person) =>
  by.post('/register', { fetch_event_types: ['default_streams', 'default_stream_groups'] });

describe('default channels', () => {
  test('are what newcomers are subscribed to, guests aside', async () => {
    const { owner, admin, alice, guest, join } = await realm();
    const id = await createChannel(alice, 'lobby', []);
    const [phone, visitors] = [await alice.listen(), await guest.listen()];
    expect(await admin.post('/default_streams', { stream_id: id })).toEqual({ result: 'success', msg: '' });
    await admin.post('/default_streams', { stream_id: id });
    expect(await phone.hears()).toMatchObject([{ type: 'default_streams', default_streams: [id] }]);
    expect(await visitors.hears()).toEqual([]);
    expect(await stateOf(alice)).toMatchObject({ realm_default_streams: [id] });
    expect(await stateOf(guest)).toMatchObject({ realm_default_streams: [] });

    const [member, visitor] = [await join({ name: 'Nina' }), await join({ name: 'Vera', role: 600 })];
    expect((await phone.hears()).map(({ type, op }) => `${type} ${op}`)).toContain('subscription peer_add');
    expect(await alice.get(`/streams/${id}/members`)).toMatchObject({ subscribers: [member.id] });
    expect((await visitor.get('/users/me/subscriptions')).subscriptions).toEqual([]);

    await owner.delete('/default_streams', { stream_id: id });
    expect(await phone.hears()).toMatchObject([{ type: 'realm_user' }, {}, { default_streams: [] }].slice(2));
    expect(outcomeOf(await owner.delete('/default_streams', { stream_id: id }))).toBe('ok');
  });

  test('are public, and chosen by administrators', async () => {
    const { owner, moderator, alice } = await realm();
    const [id, secret] = [
      await createChannel(alice, 'a', []),
      await createChannel(owner, 'b', [], { invite_only: true }),
    ];
    expect(outcomeOf(await moderator.post('/default_streams', { stream_id: id }))).toBe(
      'UNAUTHORIZED_PRINCIPAL',
    );
    expect(outcomeOf(await alice.delete('/default_streams', { stream_id: id }))).toBe(
      'UNAUTHORIZED_PRINCIPAL',
    );
    expect(outcomeOf(await owner.post('/default_streams', { stream_id: secret }))).toBe(
      'A private channel cannot be a default channel.',
    );
    expect(outcomeOf(await owner.post('/default_streams', { stream_id: 999_999 }))).toBe(
      'This channel does not exist.',
    );
  });
});

describe('sets of default channels', () => {
  test('are made, renamed, filled, emptied and removed', async () => {
    const { owner, admin, alice, guest } = await realm();
    const [a, b] = [await createChannel(alice, 'a', []), await createChannel(alice, 'b', [])];
    const phone = await alice.listen();
    const group = { group_name: 'Sports', description: 'All of it', stream_names: ['b', 'a'] };
    expect(outcomeOf(await admin.post('/default_stream_groups/create', group))).toBe('ok');
    const [{ default_stream_groups: groups } = { default_stream_groups: [] }] = await phone.hears();
    const [{ id }] = groups;
    expect(groups).toEqual([{ id, name: 'Sports', description: 'All of it', streams: [a, b] }]);
    expect(await stateOf(guest)).toMatchObject({ realm_default_stream_groups: [] });

    const at = `/default_stream_groups/${id}`;
    const streams = (op: string, stream_names: string[]) =>
      owner.patch(`${at}/streams`, { op, stream_names }).then(outcomeOf);
    expect(outcomeOf(await owner.patch(at, { new_group_name: 'Games' }))).toBe('ok');
    expect(await streams('remove', ['a'])).toBe('ok');
    expect((await stateOf(alice)).realm_default_stream_groups).toEqual([
      { id, name: 'Games', description: 'All of it', streams: [b] },
    ]);

    await owner.post('/default_streams', { stream_id: a });
    expect(await streams('add', ['a'])).toBe(
      "'a' is a default channel already, so it cannot be added to 'Games'.",
    );
    expect(await streams('add', ['b'])).toMatch(/already contains/);
    expect(await streams('remove', ['a'])).toMatch(/does not contain/);
    expect(await streams('swap', ['a'])).toBe("'op' must be 'add' or 'remove'.");
    expect(await streams('add', ['nowhere'])).toBe("There is no channel called 'nowhere'.");
    expect(outcomeOf(await owner.patch(at, {}))).toMatch(/^Send /);
    expect(outcomeOf(await owner.patch(at, { new_group_name: 'Games' }))).toBe(
      "This default channel group is already called 'Games'.",
    );
    const named = (group_name: string) =>
      owner
        .post('/default_stream_groups/create', { group_name, description: '', stream_names: [] })
        .then(outcomeOf);
    expect(await named('Games')).toBe("There is already a default channel group called 'Games'.");
    expect(await named(' ')).toBe("A default channel group cannot be called ''.");
    expect(await named('x'.repeat(61))).toBe(
      'The name of a default channel group can have at most 60 characters.',
    );
    expect(outcomeOf(await alice.delete(at))).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(outcomeOf(await owner.delete(at))).toBe('ok');
    expect(outcomeOf(await owner.delete(at))).toBe(`There is no default channel group with the id ${id}.`);
  });
});
