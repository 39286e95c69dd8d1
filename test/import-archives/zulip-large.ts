import { channelCount, textOf, userCount } from './large.ts';
import type { LazyFile } from './zip.ts';
import { smallRealm } from './zulip-small.ts';

/** How many people are in each channel: a row for each of them stands beside each message. */
const membersPerChannel = 6;
/** As many as Zulip puts into a file. */
const messagesPerFile = 1000;
const firstSecond = Date.UTC(2015, 0, 5) / 1000;
const firstUser = 1001;

const memberOf = (channel: number, place: number) => firstUser + ((channel * 7 + place * 11) % userCount);

/** Yields the files of an export of Zulip with so many messages, each with the flags of those who received it. */
export function* largeZulipExport(messages: number): Generator<LazyFile> {
  const file = (path: string, value: unknown): LazyFile => ({
    path: `zulip-export-large/${path}`,
    content: () => Buffer.from(JSON.stringify(value, null, 2)),
  });
  yield file('realm.json', realmOf(messages));
  yield file('attachment.json', { zerver_attachment: [] });
  for (let number = 1, from = 0; from < messages; number += 1, from += messagesPerFile) {
    const count = Math.min(messagesPerFile, messages - from);
    const path = `zulip-export-large/messages-${String(number).padStart(6, '0')}.json`;
    yield { path, content: () => Buffer.from(JSON.stringify(filesOf(from, count), null, 2)) };
  }
}

function realmOf(messages: number): object {
  const small = smallRealm();
  const [channel, user, subscription] = [
    small['zerver_stream']?.[0],
    small['zerver_userprofile']?.[1],
    small['zerver_subscription']?.[1],
  ];
  const channels = Array.from({ length: channelCount }, (_, index) => index);
  const users = Array.from({ length: userCount }, (_, index) => firstUser + index);
  return {
    ...Object.fromEntries(Object.keys(small).map((table) => [table, []])),
    zerver_realm: small['zerver_realm'],
    zerver_client: small['zerver_client'],
    zerver_namedusergroup: small['zerver_namedusergroup'],
    zerver_userprofile: users.map((id, index) => ({
      ...user,
      id,
      delivery_email: `user${index}@acme.example`,
      full_name: `User ${index}`,
      role: index === 0 ? 100 : 400,
    })),
    zerver_stream: channels.map((index) => ({
      ...channel,
      id: index + 1,
      name: `channel-${index}`,
      folder: null,
    })),
    zerver_recipient: channels.map((index) => ({ id: index + 1, type: 2, type_id: index + 1 })),
    zerver_subscription: channels.flatMap((index) =>
      Array.from({ length: membersPerChannel }, (_, place) => ({
        ...subscription,
        id: index * membersPerChannel + place + 1,
        user_profile: memberOf(index, place),
        recipient: index + 1,
      })),
    ),
    zerver_reaction: Array.from({ length: Math.ceil(messages / 10) }, (_, index) => ({
      id: index + 1,
      message: index * 10 + 1,
      user_profile: firstUser,
      emoji_name: '+1',
      emoji_code: '1f44d',
      reaction_type: 'unicode_emoji',
    })),
  };
}

function filesOf(from: number, count: number): object {
  const indexes = Array.from({ length: count }, (_, offset) => from + offset);
  return {
    zerver_message: indexes.map((index) => ({
      id: index + 1,
      sender: memberOf(index % channelCount, index % membersPerChannel),
      recipient: (index % channelCount) + 1,
      realm: 7,
      subject: `topic ${Math.floor(index / 997) % 500}`,
      content: index % 11 === 0 ? `@**User 3** **${textOf(index)}**` : textOf(index),
      rendered_content: `<p>${textOf(index)}</p>`,
      rendered_content_version: 1,
      date_sent: firstSecond + index * 60 + 0.5,
      sending_client: 1,
      last_edit_time: null,
      edit_history: null,
      has_attachment: false,
      has_image: false,
      has_link: false,
      is_channel_message: true,
      type: 1,
    })),
    zerver_usermessage: indexes.flatMap((index) =>
      Array.from({ length: membersPerChannel }, (_, place) => ({
        id: index * membersPerChannel + place + 1,
        user_profile: memberOf(index % channelCount, place),
        message: index + 1,
        flags_mask: (index + place) % 50 === 0 ? 0 : 1 + Number(place === 3 && index % 40 === 0) * 2,
      })),
    ),
  };
}
