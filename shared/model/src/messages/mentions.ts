import type { ChannelRow } from '@parley/db';

/** A topic in the text of a message, by name: readers see a link. */
export const topicMention = ({ name }: Pick<ChannelRow, 'name'>, topic: string) => `#**${name}>${topic}**`;

/** A user in the text of a notice: shown by name, and not alerted. */
export const silentMention = ({ id, fullName }: { id: number; fullName: string }) =>
  `@_**${fullName}|${id}**`;
