/** Encodes a part of a URL fragment from which clients read what to show. */
export const encodeHash = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[.!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');

export interface LinkedChannel {
  id: number;
  name: string;
}

const channelSlug = ({ id, name }: LinkedChannel) => `${id}-${encodeHash(name.replaceAll(' ', '-'))}`;

/** Returns the URL of a channel within the application, without its leading slash. */
export const channelHash = (channel: LinkedChannel): string => `#narrow/channel/${channelSlug(channel)}`;

export const topicHash = (channel: LinkedChannel, topic: string): string =>
  `${channelHash(channel)}/topic/${encodeHash(topic)}`;

export const messageHash = (channel: LinkedChannel, topic: string, messageId: number): string =>
  `${topicHash(channel, topic)}/near/${messageId}`;

/** Returns the part of an address behind the # of a message in the direct conversation of users. */
export const directMessageHash = (userIds: readonly number[], messageId: number): string =>
  `#narrow/dm/${userIds.join(',')}-dm/near/${messageId}`;
