export { channelHash, encodeHash, messageHash, topicHash } from './hash.ts';
export { type LinkifierError, checkLinkifier } from './check-linkifier.ts';
export { compileLinkifiers, noLinkifiers } from './linkifiers.ts';
export { type TopicLink, topicLinks } from './topic-links.ts';
export { findVariables } from './url-template.ts';
export type { LinkifierMatch, Linkifiers } from './linkifiers.ts';
export type { Emoji, Options } from './options.ts';
export { escapeHtml } from './escape.ts';
export { parse } from './parse.ts';
export type { Parsed } from './parse.ts';
export { type Rendered, render, rendererVersion } from './render.ts';
export { nothingResolved, referencesMax } from './resolved.ts';
export type {
  PageFacts,
  References,
  Resolved,
  ResolvedGroup,
  ResolvedTopic,
  ResolvedUser,
  UploadFacts,
} from './resolved.ts';
export { Unrenderable } from './html-template.ts';
