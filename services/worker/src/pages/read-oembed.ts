import type { PageFacts } from '@parley/markdown';
import { pageLimits } from '@parley/protocol';
import { Parser } from 'htmlparser2';
import { z } from 'zod';

import { sanitizeText, parseWebUrl } from './sanitize-text.ts';

/** What is read of an answer (oembed.com 2.3.4): films that can be shown in place. */
const OembedVideo = z.object({
  type: z.literal('video'),
  html: z.string(),
  thumbnail_url: z.string(),
  title: z.string().default(''),
});

/** Of a player, as wide and as high as one may be. */
const sizeMax = 4096;

/** The film that an oEmbed answer describes, or nothing. `page` is what it is about. */
export function readOembed(text: string, page: string): PageFacts | null {
  const film = OembedVideo.safeParse(asJson(text)).data;
  const html = film && playerOf(film.html, page);
  const image = film && parseWebUrl(film.thumbnail_url, page, pageLimits.addressLength);
  if (!html || !image) return null;
  return { kind: 'video', title: sanitizeText(film.title, pageLimits.titleLength), html, image };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The player of a film: a frame of our own making around the address that a stranger's frame has. Clients put it into
 * their page, so nothing else of what the stranger wrote may be in it.
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

function sizeOf(written: string | undefined, otherwise: number): number {
  const size = Number(/^\d{1,4}(?=px$|$)/.exec(written?.trim() ?? '')?.[0] ?? otherwise);
  return size > 0 && size <= sizeMax ? size : otherwise;
}
