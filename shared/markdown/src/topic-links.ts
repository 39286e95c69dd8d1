import { findBareUrls } from './bare-urls.ts';
import { quickLinkifierSteps } from './cost.ts';
import type { Budget } from './find-all.ts';
import type { LinkifierMatch, Linkifiers } from './linkifiers.ts';
import { safeUrl } from './urls.ts';

export interface TopicLink {
  text: string;
  url: string;
}

/** Stands for the realm's URL, so that no link is written relative to it. */
const noRealmUrl = '\0';

/**
 * Returns the links in a topic's name, in order of position. If a linkifier and an address overlap, the linkifier
 * counts.
 */
export function topicLinks(
  topic: string,
  linkifiers: Linkifiers,
  budget: Budget = { steps: quickLinkifierSteps },
): TopicLink[] {
  const linkified = linkifiers.match(topic, budget).filter(({ url }) => safeUrl(url, noRealmUrl) !== null);
  const isFree = (url: LinkifierMatch) =>
    linkified.every(({ start, end }) => end <= url.start || url.end <= start);
  return [...linkified, ...findBareUrls(topic).filter(isFree)]
    .sort((a, b) => a.start - b.start)
    .map(({ text, url }) => ({ text, url }));
}
