import type { ChannelRow, UserGroupRow } from '@parley/db';

/** Returns a topic in the text of a message. Readers see a link. */
export const topicMention = ({ name }: Pick<ChannelRow, 'name'>, topic: string) => `#**${name}>${topic}**`;

/** Returns a silent mention of a user in the text of a message: the name is shown, and the user is not notified. */
export const silentMention = ({ id, fullName }: { id: number; fullName: string }) =>
  `@_**${fullName}|${id}**`;

/** Returns a silent mention of a group in the text of a message. */
export const silentGroupMention = ({ name }: Pick<UserGroupRow, 'name'>) => `@_*${name}*`;
