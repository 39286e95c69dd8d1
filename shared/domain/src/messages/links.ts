import type { ChannelRow } from '../channels/present.ts';

/** A topic in the text of a message, by name: readers see a link. */
export const topicMention = ({ name }: Pick<ChannelRow, 'name'>, topic: string) => `#**${name}>${topic}**`;
