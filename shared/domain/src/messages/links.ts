import type { ChannelRow } from '../channels/present.ts';

/** A piece of the fragment that clients read where they are from. */
const encode = (text: string) =>
  encodeURIComponent(text)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
    .replaceAll('(', '.28')
    .replaceAll(')', '.29');

/** A topic in the text of a message, by name: clients make a link of it. */
export const topicMention = ({ name }: Pick<ChannelRow, 'name'>, topic: string) => `#**${name}>${topic}**`;

/** The address of a message within the application. */
export const messageLink = (
  { id, name }: Pick<ChannelRow, 'id' | 'name'>,
  topic: string,
  messageId: number,
) => `#narrow/channel/${id}-${encode(name.replaceAll(' ', '-'))}/topic/${encode(topic)}/near/${messageId}`;
