export { channelHash, encodeHash, messageHash, topicHash } from './hash.ts';
export { noLinkifiers } from './linkifiers.ts';
export type { LinkifierMatch, Linkifiers } from './linkifiers.ts';
