import { useEffect, useRef, useState } from 'preact/hooks';

import { messageText } from '../../strings/messages.ts';

import './code.css';
import './content.css';
import { Html } from './html.tsx';
import { showPicture } from './picture.tsx';

/** Messages that the reader has unfolded. Long ones are short again when the page is loaded anew. */
const unfolded = new Set<number>();

/** Shows the content of a message. Long texts are folded until somebody unfolds them; a click enlarges pictures. */
export function Content({ id, html }: { id: number; html: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [isCut, setIsCut] = useState(false);
  const [isUnfolded, setIsUnfolded] = useState(unfolded.has(id));

  useEffect(() => {
    const { current } = box;
    // Pictures are links, so that the keyboard does the same.
    current?.addEventListener('click', openPicture);
    return () => current?.removeEventListener('click', openPicture);
  }, []);

  useEffect(() => {
    const { current } = box;
    const inner = current?.firstElementChild;
    if (!current || !inner || isUnfolded) return undefined;
    const observer = new ResizeObserver(() => setIsCut(current.scrollHeight > current.clientHeight + 1));
    observer.observe(inner);
    return () => observer.disconnect();
  }, [isUnfolded, html]);

  return (
    <>
      <div ref={box} class={`content ${isUnfolded ? '' : 'folded'} ${isCut && !isUnfolded ? 'cut' : ''}`}>
        <Html class="rendered" html={html} />
      </div>
      {(isCut || isUnfolded) && (
        <button
          type="button"
          class="content-more"
          aria-expanded={isUnfolded}
          onClick={() => {
            if (isUnfolded) unfolded.delete(id);
            else unfolded.add(id);
            setIsUnfolded(!isUnfolded);
          }}
        >
          {isUnfolded ? messageText.showLess : messageText.showMore}
        </button>
      )}
    </>
  );
}

/** Opens the picture of a thumbnail that was clicked; with a modifier key, the browser follows the link. */
function openPicture(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
  const link = event.target.closest<HTMLAnchorElement>(
    '.message_inline_image:not(.message_inline_video, .youtube-video, .embed-video) > a',
  );
  const picture = link?.querySelector('img') ?? event.target.closest<HTMLImageElement>('img.inline-image');
  if (!picture) return;
  event.preventDefault();
  showPicture(picture);
}
