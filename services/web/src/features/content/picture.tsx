import { signal } from '@preact/signals';
import { Suspense, lazy } from 'preact/compat';

import type { Picture } from './lightbox.tsx';

interface Shown {
  pictures: readonly Picture[];
  at: number;
}

const shown = signal<Shown | null>(null);

const Lightbox = lazy(async () => ({ default: (await import('./lightbox.tsx')).Lightbox }));

const inMessages =
  '.message_inline_image:not(.message_inline_video, .youtube-video, .embed-video) > a > img, img.inline-image';

/** Shows a picture whole, among all that are on the page. */
export function showPicture(picture: HTMLImageElement): void {
  const list = picture.closest('.message-scroller') ?? picture.closest('.rendered') ?? document;
  const all = [...list.querySelectorAll<HTMLImageElement>(inMessages)];
  const pictures = all.length > 0 ? all : [picture];
  shown.value = { pictures: pictures.map(readPicture), at: Math.max(0, pictures.indexOf(picture)) };
}

function readPicture(picture: HTMLImageElement): Picture {
  const link = picture.closest('a');
  return {
    address: link?.href ?? picture.dataset['originalSrc'] ?? picture.src,
    name: link?.title || picture.alt,
  };
}

/** The picture that is shown whole, if there is one. */
export function PictureDialog() {
  const now = shown.value;
  if (!now) return null;
  return (
    <Suspense fallback={null}>
      <Lightbox
        {...now}
        onStep={(at) => (shown.value = { ...now, at })}
        onClose={() => (shown.value = null)}
      />
    </Suspense>
  );
}
