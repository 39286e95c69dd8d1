import type { PageFacts } from '@parley/markdown';
import { pageLimits } from '@parley/protocol';
import { Parser } from 'htmlparser2';
import { z } from 'zod';

import { sanitizeText, parseWebUrl } from './sanitize-text.ts';

/** The fields of an oEmbed response that are read. Only videos that can be embedded are used. */
const OembedVideo = z.object({
  type: z.literal('video'),
  html: z.string(),
  thumbnail_url: z.string(),
  title: z.string().default(''),
});

/** The greatest width and height of a player. */
const sizeMax = 4096;

/** Returns the video that an oEmbed response describes, or null. `page` is the address of the page. */
export function readOembed(text: string, page: string): PageFacts | null {
  const video = OembedVideo.safeParse(asJson(text)).data;
  const html = video && playerOf(video.html, page);
  const image = video && parseWebUrl(video.thumbnail_url, page, pageLimits.addressLength);
  if (!html || !image) return null;
  return { kind: 'video', title: sanitizeText(video.title, pageLimits.titleLength), html, image };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The player of a video: an iframe that we write ourselves with the address of the iframe in the response. Clients
 * insert it into their page, so it must contain nothing else from an outside server.
 */
function playerOf(html: string, page: string): string | null {
  if (html.length > pageLimits.playerLength) return null;
  const frames: Record<string, string>[] = [];
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'iframe') frames.push(attributes);
    },
  });
  parser.end(html);
  const [frame] = frames;
  const src = frame && parseWebUrl(frame['src'] ?? '', page, pageLimits.addressLength);
  if (!src?.startsWith('https:')) return null;
  const [width, height] = [sizeOf(frame?.['width'], 480), sizeOf(frame?.['height'], 270)];
  return `<iframe src="${src.replaceAll('&', '&amp;').replaceAll('"', '%22')}" width="${width}" height="${height}" allowfullscreen></iframe>`;
}

function sizeOf(attribute: string | undefined, fallback: number): number {
  const size = Number(/^\d{1,4}(?=px$|$)/.exec(attribute?.trim() ?? '')?.[0] ?? fallback);
  return size > 0 && size <= sizeMax ? size : fallback;
}
