import type { PreviewLink } from './atoms.ts';
import { attributes, escapeHtml } from './escape.ts';
import type { Options } from './options.ts';
import type { PageFacts, UploadFacts } from './resolved.ts';
import { endingOf, uploadOf } from './urls.ts';

const images = new Set(['.bmp', '.gif', '.jpe', '.jpeg', '.jpg', '.png', '.webp']);
const videos = new Set(['.mp4', '.webm']);
const sounds = new Set(['.mp3', '.m4a', '.wav', '.ogg', '.oga', '.opus', '.flac', '.aac', '.weba']);

/** A preview that is shown below the paragraph of a link. */
export type Preview =
  | { kind: 'upload'; pathId: string; href: string; title: string | undefined }
  /** It is shown if the upload, where it is one, exists. */
  | { kind: 'html'; pathId: string | null; html: string; isWhole: boolean }
  | { kind: 'page'; href: string };

/** The picture in place of a thumbnail that is not yet made. The api nodes serve it. */
export const loadingPictureUrl = '/static/images/loading/loader-black.svg';

/** A text with more links than this outside quotes shows no previews. */
export const previewedLinksMax = 24;

export const isImage = (href: string): boolean => images.has(endingOf(href));
export const isSound = (href: string): boolean => sounds.has(endingOf(href));

const isWeb = (href: string) => /^https?:\/\//i.test(href);
/** A path from the root of the host, so that it works from wherever the text is shown. */
const sourceUrl = (href: string) => (href.startsWith('user_uploads/') ? `/${href}` : href);

export const soundHtml = (href: string, title: string): string =>
  `<audio controls${attributes({ preload: 'metadata', src: sourceUrl(href), title })}></audio>`;

/** Returns the preview of a link, by its address alone; null if it has none. */
export function findPreview({ href, label }: PreviewLink, options: Options): Preview | null {
  const pathId = uploadOf(href);
  const title = label === null || label === href || label === '' ? undefined : label;
  const isLocal = pathId !== null;
  if (!isWeb(href) && !isLocal) return null;
  const ending = endingOf(href);
  if (options.previews.images) {
    if (videos.has(ending))
      return mediaPreview('message_inline_image message_inline_video', { href, title }, videoHtml(href));
    if (isLocal) return { kind: 'upload', pathId, href, title: title ?? pathId.split('/').at(-1) };
    if (images.has(ending))
      return mediaPreview('message_inline_image', { href, title }, imageHtml(sourceUrl(href)));
    const id = youtubeId(href);
    if (id !== null) {
      const thumbnail = `https://i.ytimg.com/vi/${id}/mqdefault.jpg`;
      const html = linkFrame(
        'youtube-video message_inline_image',
        { 'data-id': id, href },
        imageHtml(thumbnail),
      );
      return { kind: 'html', pathId: null, html, isWhole: false };
    }
  }
  const isMedia = videos.has(ending) || images.has(ending) || sounds.has(ending);
  return options.previews.pages && !isLocal && !isMedia ? { kind: 'page', href } : null;
}

const imageHtml = (src: string) => `<img${attributes({ src })}>`;
const videoHtml = (href: string) =>
  `<video${attributes({ preload: 'metadata', src: sourceUrl(href) })}></video>`;
const linkFrame = (className: string, link: Record<string, string | undefined>, content: string) =>
  `<div class="${className}"><a${attributes(link)}>${content}</a></div>`;
const mediaPreview = (
  className: string,
  link: { href: string; title: string | undefined },
  content: string,
): Preview => ({
  kind: 'html',
  pathId: uploadOf(link.href),
  html: linkFrame(className, link, content),
  isWhole: true,
});

const youtubeHosts = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com', 'www.youtube-nocookie.com']);

function youtubeId(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { hostname, pathname, searchParams } = new URL(href);
  const [, first = '', second] = pathname.split('/');
  const named = ['embed', 'shorts', 'live', 'v'].includes(first) ? second : searchParams.get('v');
  const id = hostname === 'youtu.be' ? first : youtubeHosts.has(hostname) ? named : null;
  return /^[\w-]{11}$/.test(id ?? '') ? (id ?? null) : null;
}

/** Returns the preview of an upload; null if its picture is not known or could not be read. */
export function uploadHtml(
  preview: Preview & { kind: 'upload' },
  facts: UploadFacts | null | undefined,
): string | null {
  if (facts?.state !== 'pending' && facts?.state !== 'ready') return null;
  const shown = {
    class: facts.state === 'pending' ? 'image-loading-placeholder' : undefined,
    'data-animated': facts.state === 'ready' && facts.isAnimated ? 'true' : undefined,
    'data-original-content-type': facts.contentType,
    'data-original-dimensions': `${facts.width}x${facts.height}`,
    'data-transcoded-image': facts.transcoded ?? undefined,
    src:
      facts.state === 'pending'
        ? loadingPictureUrl
        : `/user_uploads/thumbnail/${preview.pathId}/${facts.thumbnail}`,
  };
  return linkFrame(
    'message_inline_image',
    { href: preview.href, title: preview.title },
    `<img${attributes(shown)}>`,
  );
}

export function pageHtml(href: string, facts: PageFacts): string | null {
  if (facts.image === null || !isWeb(facts.image)) return null;
  const { image: picture, title } = facts;
  if (facts.kind === 'video') {
    return linkFrame(
      'embed-video message_inline_image',
      { 'data-id': facts.html, href, title },
      imageHtml(picture),
    );
  }
  const style = `background-image: url("${picture.replaceAll(/["\\\n\r\f]/g, (character) => encodeURIComponent(character))}")`;
  const headline = `<div class="message_embed_title"><a${attributes({ href, title })}>${escapeHtml(title)}</a></div>`;
  const description = `<div class="message_embed_description">${escapeHtml(facts.description)}</div>`;
  return `<div class="message_embed"><a${attributes({ class: 'message_embed_image', href, style })}></a><div class="data-container">${headline}${description}</div></div>`;
}
