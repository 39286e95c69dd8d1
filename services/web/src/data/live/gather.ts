import { pause } from '@parley/client';
import { signal } from '@preact/signals';

/** As often as somebody sees a difference, in a conversation in which hundreds write. */
const leastMs = 100;
/** How late it may become. Whoever writes while so many others do reads none of it. */
const mostMs = { reading: 1000, writing: 2000 } as const;
/**
 * So many times as long as it has drawn, the page has nothing to do but to answer keys. Somebody who writes waits for whatever
 * is drawn while they press one: one key of thirty-three at most.
 */
const restsOfDrawing = { reading: 3, writing: 32 } as const;
/** So long after a key, somebody is still writing. */
const writingMs = 1000;

/** How long a page rests that has applied events and drawn them for so long. */
export const restAfter = (drawnMs: number, doing: keyof typeof restsOfDrawing = 'reading'): number =>
  Math.min(mostMs[doing], Math.max(leastMs, restsOfDrawing[doing] * drawnMs));

/** When something was last written in any field of the page. */
const writtenAt = signal(Number.NEGATIVE_INFINITY);

/** Notes that somebody writes. */
export const noteWriting = (): void => void (writtenAt.value = performance.now());

/** Waits until what events have changed is drawn, and then the longer, the more there was to draw. */
export async function gather(interrupted: AbortSignal): Promise<void> {
  const from = performance.now();
  // A page that nobody sees is not drawn.
  if (document.visibilityState === 'visible')
    await Promise.race([nextFrame(), pause(mostMs.reading, interrupted)]);
  const drawnMs = performance.now() - from;
  await pause(restAfter(drawnMs, isWriting() ? 'writing' : 'reading'), interrupted);
}

/** Returns whether somebody writes in the page right now. */
export const isWriting = (): boolean => performance.now() - writtenAt.peek() < writingMs && isInField();

/** Whether what is pressed is written. Elsewhere keys act on what the page shows, which is not to be late then. */
const isInField = () => document.activeElement?.matches('textarea, input, [contenteditable]') ?? false;

/** Resolves in the first task after a frame. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => void pause(0).then(resolve));
  });
