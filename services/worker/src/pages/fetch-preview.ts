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
 * Fetches a page and returns its preview; null if it has no picture. Throws Unreachable if another attempt may
 * succeed.
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
  const metadata = readHtml(decodePage(page.bytes, page.header('content-type')));
  const base = parseWebUrl(metadata.base, page.url, pageLimits.addressLength) ?? page.url;
  return (await fetchVideo(outbound, metadata, base)) ?? presentPage(metadata, base, page.url);
}

/**
 * Fetches the page's oEmbed response and returns the video in it. If it cannot be fetched, the preview has no video.
 */
async function fetchVideo(outbound: Outbound, { oembed }: PageMetadata, base: string) {
  const url = parseWebUrl(oembed, base, pageLimits.addressLength);
  if (url === null) return null;
  try {
    const response = await outbound.request({
      url,
      headers: { accept: 'application/json' },
      bytesMax: pageLimits.oembedBytes,
      acceptsBody: (head) =>
        isSuccess(head) && /^(application\/(.+\+)?json|text\/javascript)$/.test(typeOf(head)),
    });
    return response.isWhole ? readOembed(response.bytes.toString('utf8'), base) : null;
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

function presentPage(metadata: PageMetadata, base: string, url: string): PageFacts | null {
  const image = parseWebUrl(metadata.image, base, pageLimits.addressLength);
  if (image === null) return null;
  return {
    kind: 'page',
    title: sanitizeText(metadata.title, pageLimits.titleLength) || new URL(url).hostname,
    description: sanitizeText(metadata.description, pageLimits.descriptionLength),
    image,
  };
}
