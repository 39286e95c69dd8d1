export { channelHash, encodeHash, messageHash, topicHash } from './hash.ts';
export { type Complaint, checkLinkifier } from './check-linkifier.ts';
export { compileLinkifiers, noLinkifiers } from './linkifiers.ts';
export { type TopicLink, topicLinks } from './topic-links.ts';
export { findVariables } from './url-template.ts';
export type { LinkifierMatch, Linkifiers } from './linkifiers.ts';
