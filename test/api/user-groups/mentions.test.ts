import { limits } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  type Person,
  addMembers,
  createChannel,
  createGroup,
  groupId,
  outcomeOf,
  realm,
  succeed,
} from '../../support/index.ts';

const send = (by: Person, to: number, content: string) =>
  by.post('/messages', { type: 'channel', to, topic: 't', content });

const flagsOf = async (who: Person, id: number) => (await who.get(`/messages/${id}`)).message.flags;

const newest = { anchor: 'newest', num_before: 9, num_after: 0 };

describe('a mention of a group', () => {
  test('mentions its members, those of subgroups and of roles, who are in the channel', async () => {
    const { alice, bob, carol, moderator, guest } = await realm();
    const inner = await createGroup(alice, 'inner', [bob], {
      subgroups: [await groupId(alice, 'role:moderators')],
    });
    const id = await createGroup(alice, 'Team', [carol], { subgroups: [inner] });
    const channel = await createChannel(alice, 'channel', [alice, bob, guest, moderator]);
    const phone = await bob.listen({ apply_markdown: true });
    const { id: sent } = await succeed(send(alice, channel, 'hello @*team*'));
    const heard = (await phone.hears()).find(({ type }) => type === 'message');
    expect(heard).toMatchObject({ flags: ['mentioned'] });
    expect(heard?.['message'].content).toBe(
      `<p>hello <span class="user-group-mention" data-user-group-id="${id}">@Team</span></p>`,
    );
    expect(await flagsOf(bob, sent)).toEqual(['mentioned']);
    expect(await flagsOf(moderator, sent)).toEqual(['mentioned']);
    expect(await flagsOf(guest, sent)).toEqual([]);
    const { messages } = await carol.get('/messages', { ...newest, narrow: [['is', 'mentioned']] });
    expect(messages, 'who is in the group and not in the channel').toEqual([]);
    const { unread_msgs } = await bob.post('/register', {
      fetch_event_types: ['message', 'update_message_flags'],
    });
    expect(unread_msgs.mentions).toEqual([sent]);
  });

  test('a mention of a group in a direct message mentions those who are in the conversation', async () => {
    const { alice, bob, carol } = await realm();
    await createGroup(alice, 'team', [bob, carol, alice]);
    const reply = alice.post('/messages', { type: 'direct', to: [bob.id], content: '@*team*' });
    const { id } = await succeed(reply);
    expect(await flagsOf(bob, id)).toEqual(['mentioned']);
    expect(await flagsOf(alice, id)).toEqual(['mentioned']);
  });

  test('can come and go by an edit', async () => {
    const { alice, bob } = await realm();
    await createGroup(alice, 'team', [bob]);
    const channel = await createChannel(alice, 'channel', [alice, bob]);
    const { id } = await succeed(send(alice, channel, 'hello'));
    await succeed(alice.patch(`/messages/${id}`, { content: '@*team*' }));
    expect(await flagsOf(bob, id)).toEqual(['mentioned']);
    await succeed(alice.patch(`/messages/${id}`, { content: '@_*team*' }));
    expect(await flagsOf(bob, id)).toEqual([]);
  });

  test('is silent, or of a group that is deactivated: then it mentions nobody', async () => {
    const { alice, bob } = await realm();
    const group = await createGroup(alice, 'team', [bob]);
    const channel = await createChannel(alice, 'channel', [alice, bob]);
    const silent = `<p><span class="user-group-mention silent" data-user-group-id="${group}">team</span></p>`;
    const shown = async (content: string) => {
      const { id } = await succeed(send(alice, channel, content));
      const { message } = await bob.get(`/messages/${id}`);
      return [message.content, message.flags];
    };
    expect(await shown('@_*team*')).toEqual([silent, []]);
    await succeed(alice.post(`/user_groups/${group}/deactivate`));
    expect(await shown('@*team*')).toEqual([silent, []]);
  });

  test('is for whom the group permits it; nobody mentions a system group but silently', async () => {
    const { alice, bob, carol } = await realm();
    const friends = await createGroup(alice, 'friends', [carol]);
    await createGroup(alice, 'team', [bob], { can_mention_group: friends });
    const channel = await createChannel(alice, 'channel', [alice, bob, carol]);
    const refusal = "You do not have permission to mention the group 'team'.";
    expect(outcomeOf(await send(bob, channel, '@*team*'))).toBe(refusal);
    expect(outcomeOf(await send(carol, channel, '@*team*'))).toBe('ok');
    const { id } = await succeed(send(bob, channel, 'hello'));
    expect(outcomeOf(await bob.patch(`/messages/${id}`, { content: '@*team*' }))).toBe(refusal);
    await succeed(alice.post(`/user_groups/${friends}/members`, { add: [bob.id] }));
    expect(outcomeOf(await send(bob, channel, '@*team*'))).toBe('ok');
    expect(outcomeOf(await send(alice, channel, '@*role:members*'))).toBe(
      "You do not have permission to mention the group 'role:members'.",
    );
    expect(outcomeOf(await send(alice, channel, '@_*role:members*'))).toBe('ok');
  });

  test('a mention that notifies very many is for those who may mention many', async () => {
    const { alice, bob, owner, realm: home } = await realm();
    const ids = [bob.id, ...(await addMembers(home, limits.groupMentionMembers))];
    await createGroup(alice, 'crowd', [], { members: ids });
    const channel = await createChannel(alice, 'channel', [alice, owner], {
      subscribers: [alice.id, owner.id, ...ids],
    });
    expect(outcomeOf(await send(alice, channel, '@*crowd*'))).toBe(
      "You do not have permission to mention the group 'crowd'.",
    );
    expect(outcomeOf(await send(owner, channel, '@*crowd*'))).toBe('ok');
    const left = { subscriptions: ['channel'], principals: [ids.at(-1)] };
    await succeed(alice.delete('/users/me/subscriptions', left));
    const phone = await bob.listen({ event_types: ['message', 'user_topic'] });
    const { id } = await succeed(send(alice, channel, '@*crowd*'));
    expect(await phone.hears(), 'of a crowd nobody follows').toMatchObject([{ message: { id } }]);
  });

  test('makes those follow the topic who follow where they are mentioned', async () => {
    const { alice, bob, carol } = await realm();
    await succeed(carol.patch('/settings', { automatically_follow_topics_where_mentioned: false }));
    await createGroup(alice, 'team', [bob, carol]);
    const channel = await createChannel(alice, 'channel', [alice, bob, carol]);
    const [phone, other] = [await bob.listen(), await carol.listen()];
    await succeed(send(alice, channel, '@*team*'));
    const follows = { type: 'user_topic', stream_id: channel, visibility_policy: 3 };
    expect(await phone.hears()).toContainEqual(expect.objectContaining(follows));
    expect(await other.hears()).not.toContainEqual(expect.objectContaining(follows));
  });
});
