import { channelCount, textOf, userCount } from './large.ts';
import { type LazyFile, jsonFiles } from './zip.ts';

const messagesPerDay = 60;
const firstDayMs = Date.UTC(2015, 0, 5);
const dayMs = 86_400_000;

const userId = (index: number) => `U${String(index).padStart(6, '0')}`;

/** Yields the files of an export of Slack with so many messages: a quarter of them are replies in threads. */
export function* largeSlackExport(messages: number): Generator<LazyFile> {
  const users = Array.from({ length: userCount }, (_, index) => ({
    id: userId(index),
    team_id: 'T1',
    name: `user${index}`,
    is_owner: index === 0,
    is_primary_owner: index === 0,
    profile: { real_name: `User ${index}`, email: `user${index}@acme.example` },
  }));
  const channels = Array.from({ length: channelCount }, (_, index) => ({
    id: `C${index}`,
    name: `channel-${index}`,
    created: 1_400_000_000,
    creator: userId(0),
    is_general: index === 0,
    members: users.map(({ id }) => id),
  }));
  yield* jsonFiles({ 'users.json': users, 'channels.json': channels });
  let left = messages;
  for (let day = 0; left > 0; day += 1) {
    for (let channel = 0; channel < channelCount && left > 0; channel += 1) {
      const count = Math.min(left, messagesPerDay);
      left -= count;
      const date = new Date(firstDayMs + day * dayMs).toISOString().slice(0, 10);
      yield {
        path: `channel-${channel}/${date}.json`,
        content: () => Buffer.from(JSON.stringify(dayOf(day, channel, count), null, 4)),
      };
    }
  }
}

function dayOf(day: number, channel: number, count: number): object[] {
  const start = (firstDayMs + day * dayMs) / 1000;
  const tsOf = (index: number) => `${start + index * 600 + channel}.${String(index).padStart(6, '0')}`;
  return Array.from({ length: count }, (_, index) => {
    const text = textOf(index, day * 31 + channel * 7 + index);
    const user = userId((day + channel * 3 + index * 5) % userCount);
    const isRoot = index % 8 === 0 && index + 2 < count;
    const isReply = index % 8 === 1 || (index % 8 === 2 && index >= 2);
    return {
      client_msg_id: `${day}-${channel}-${index}`,
      type: 'message',
      user,
      text: index % 11 === 0 ? `<@${userId(index)}> *${text}*` : text,
      ts: tsOf(index),
      ...(isRoot && { thread_ts: tsOf(index), reply_count: 2 }),
      ...(isReply && { thread_ts: tsOf(index - (index % 8)) }),
      ...(index % 10 === 3 && { reactions: [{ name: 'thumbsup', users: [userId(1), userId(2)], count: 2 }] }),
      blocks: [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
        },
      ],
    };
  });
}
