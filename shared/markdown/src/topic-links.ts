import { findBareUrls } from './bare-urls.ts';
import type { LinkifierMatch, Linkifiers } from './linkifiers.ts';
import { safeUrl } from './urls.ts';

export interface TopicLink {
  text: string;
  url: string;
}

/** Nothing is written without its host here. */
const noRealmUrl = '\0';

/** The links of a topic, in order of place. Where a linkifier and an address overlap, the linkifier counts. */
export function topicLinks(topic: string, linkifiers: Linkifiers): TopicLink[] {
  const found = linkifiers.match(topic).filter(({ url }) => safeUrl(url, noRealmUrl) !== null);
  const isFree = (url: LinkifierMatch) =>
    found.every(({ start, end }) => end <= url.start || url.end <= start);
  return [...found, ...findBareUrls(topic).filter(isFree)]
    .sort((a, b) => a.start - b.start)
    .map(({ text, url }) => ({ text, url }));
}
