import type { PageFacts } from '@parley/markdown';
import { pageLimits } from '@parley/protocol';

import type { ResponseHead, Outbound } from '../outbound/client.ts';
import { Unreachable } from '../outbound/client.ts';
import { decodePage } from './decode-page.ts';
import { type PageMetadata, readHtml } from './read-html.ts';
import { readOembed } from './read-oembed.ts';
import { sanitizeText, parseWebUrl } from './sanitize-text.ts';

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);

const typeOf = ({ header }: ResponseHead) => header('content-type').split(';')[0]?.trim().toLowerCase() ?? '';
const isSuccess = ({ status }: ResponseHead) => status >= 200 && status < 300;

/**
 * What a page says of itself, for people who were shown a link to it; null of one that has no picture of itself. Fails
 * with Unreachable where another try may find more.
 */
export async function fetchPreview(outbound: Outbound, address: string): Promise<PageFacts | null> {
  const page = await outbound.request({
    url: address,
    headers: { accept: 'text/html, application/xhtml+xml' },
    bytesMax: pageLimits.bytes,
    acceptsBody: (head) => isSuccess(head) && pageTypes.has(typeOf(head)),
  });
  if (page.status >= 500 || page.status === 429) throw new Unreachable(`${address} is out of order.`);
  if (page.bytes.length === 0) return null;
  const said = readHtml(decodePage(page.bytes, page.header('content-type')));
  const base = parseWebUrl(said.base, page.url, pageLimits.addressLength) ?? page.url;
  return (await fetchVideo(outbound, said, base)) ?? presentPage(said, base, page.url);
}

/** A page goes without its film where that cannot be had. */
async function fetchVideo(outbound: Outbound, { oembed }: PageMetadata, base: string) {
  const url = parseWebUrl(oembed, base, pageLimits.addressLength);
  if (url === null) return null;
  try {
    const answer = await outbound.request({
      url,
      headers: { accept: 'application/json' },
      bytesMax: pageLimits.oembedBytes,
      acceptsBody: (head) =>
        isSuccess(head) && /^(application\/(.+\+)?json|text\/javascript)$/.test(typeOf(head)),
    });
    return answer.isWhole ? readOembed(answer.bytes.toString('utf8'), base) : null;
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

function presentPage(said: PageMetadata, base: string, url: string): PageFacts | null {
  const image = parseWebUrl(said.image, base, pageLimits.addressLength);
  if (image === null) return null;
  return {
    kind: 'page',
    title: sanitizeText(said.title, pageLimits.titleLength) || new URL(url).hostname,
    description: sanitizeText(said.description, pageLimits.descriptionLength),
    image,
  };
}
