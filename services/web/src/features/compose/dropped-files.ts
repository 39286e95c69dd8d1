import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Whether files are being dragged over the page. */
export const isDragging = signal(false);

/** Places that accept files by themselves, or stand before the page. */
const others = 'input[type=file], dialog';

const hasFiles = (event: DragEvent) =>
  event.dataTransfer?.types.includes('Files') === true &&
  !(event.target instanceof Element && event.target.closest(others));

/** Accepts files that are dropped anywhere on the page, while the component is shown. */
export function useDroppedFiles(accept: (files: readonly File[]) => void): void {
  const latest = useRef(accept);
  latest.current = accept;
  useEffect(() => {
    const listening = new AbortController();
    const on = (type: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      document.addEventListener(type, listener, { signal: listening.signal });
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isDragging.value = true;
    });
    on('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) isDragging.value = false;
    });
    on('drop', (event) => {
      isDragging.value = false;
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    });
    return () => listening.abort();
  }, []);
}
