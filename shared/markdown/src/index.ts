export { checkLinkifier } from './check-linkifier.ts';
export { isQuickToParse, quickLinkifierSteps } from './cost.ts';
export { escapeHtml } from './escape.ts';
export { directMessageHash, messageHash } from './hash.ts';
export { type Linkifiers, compileLinkifiers, noLinkifiers } from './linkifiers.ts';
export type { Emoji, Options } from './options.ts';
export { type Parsed, parse } from './parse.ts';
export { loadingPictureUrl } from './previews.ts';
export { type Rendered, render, rendererVersion } from './render.ts';
export {
  type PageFacts,
  type References,
  type Resolved,
  type UploadFacts,
  nothingResolved,
} from './resolved.ts';
export { type TopicLink, topicLinks } from './topic-links.ts';
export { findVariables } from './url-template.ts';
