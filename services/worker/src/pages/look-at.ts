import type { PageFacts } from '@parley/markdown';
import { pageLimits } from '@parley/protocol';

import type { AnswerHead, Outbound } from '../outbound/client.ts';
import { Unreachable } from '../outbound/client.ts';
import { clean, webAddress } from './clean.ts';
import { decodePage } from './decode.ts';
import { type Said, readHtml } from './read-html.ts';
import { readOembed } from './read-oembed.ts';

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);

const typeOf = ({ header }: AnswerHead) => header('content-type').split(';')[0]?.trim().toLowerCase() ?? '';
const isSuccess = ({ status }: AnswerHead) => status >= 200 && status < 300;

/**
 * What a page says of itself, for people who were shown a link to it; null of one that has no picture of itself. Fails
 * with Unreachable where another try may find more.
 */
export async function lookAt(outbound: Outbound, address: string): Promise<PageFacts | null> {
  const page = await outbound.request({
    url: address,
    headers: { accept: 'text/html, application/xhtml+xml' },
    bytesMax: pageLimits.bytes,
    wants: (head) => isSuccess(head) && pageTypes.has(typeOf(head)),
  });
  if (page.status >= 500 || page.status === 429) throw new Unreachable(`${address} is out of order.`);
  if (page.bytes.length === 0) return null;
  const said = readHtml(decodePage(page.bytes, page.header('content-type')));
  const base = webAddress(said.base, page.url, pageLimits.addressLength) ?? page.url;
  return (await findFilm(outbound, said, base)) ?? presentPage(said, base, page.url);
}

/** A page goes without its film where that cannot be had. */
async function findFilm(outbound: Outbound, { oembed }: Said, base: string) {
  const url = webAddress(oembed, base, pageLimits.addressLength);
  if (url === null) return null;
  try {
    const answer = await outbound.request({
      url,
      headers: { accept: 'application/json' },
      bytesMax: pageLimits.oembedBytes,
      wants: (head) => isSuccess(head) && /^(application\/(.+\+)?json|text\/javascript)$/.test(typeOf(head)),
    });
    return answer.isWhole ? readOembed(answer.bytes.toString('utf8'), base) : null;
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

function presentPage(said: Said, base: string, url: string): PageFacts | null {
  const image = webAddress(said.image, base, pageLimits.addressLength);
  if (image === null) return null;
  return {
    kind: 'page',
    title: clean(said.title, pageLimits.titleLength) || new URL(url).hostname,
    description: clean(said.description, pageLimits.descriptionLength),
    image,
  };
}
