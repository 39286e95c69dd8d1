import { channelCount, textOf, userCount } from './large.ts';

const firstMs = Date.UTC(2015, 0, 5);

/** Yields the lines of a bulk export with so many messages: a quarter of them are replies. Their order is not that of time. */
export function* largeMattermostLines(messages: number): Generator<string> {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  yield line({ type: 'version', version: 1 });
  yield line({ type: 'team', team: { name: 'acme', display_name: 'Acme', type: 'O' } });
  const names = Array.from({ length: channelCount }, (_, index) => `channel-${index}`);
  for (const name of names) {
    yield line({ type: 'channel', channel: { team: 'acme', name, display_name: name, type: 'O' } });
  }
  for (let index = 0; index < userCount; index += 1) {
    const teams = [{ name: 'acme', channels: names.map((name) => ({ name })) }];
    const roles = index === 0 ? 'system_admin system_user' : 'system_user';
    yield line({
      type: 'user',
      user: { username: `user${index}`, email: `user${index}@acme.example`, roles, teams },
    });
  }
  for (let made = 0; made < messages;) {
    const replies = made % 8 === 0 ? Math.min(2, messages - made - 1) : 0;
    yield line({ type: 'post', post: postOf(made, messages, replies) });
    made += 1 + replies;
  }
}

function postOf(index: number, messages: number, replies: number): object {
  // Posts are exported in the order of their ids, which are random.
  const at = firstMs + ((index * 7919) % messages) * 60_000;
  const own = (offset: number) => ({
    user: `user${(index * 5 + offset) % userCount}`,
    message: offset === 0 && index % 11 === 0 ? `@user3 **${textOf(index)}**` : textOf(index + offset),
    create_at: at + offset * 1000,
    edit_at: 0,
    ...((index + offset) % 10 === 3 && {
      reactions: [{ user: 'user1', create_at: at, emoji_name: '+1' }],
    }),
  });
  return {
    team: 'acme',
    channel: `channel-${index % channelCount}`,
    ...own(0),
    replies: Array.from({ length: replies }, (_, offset) => own(offset + 1)),
  };
}
