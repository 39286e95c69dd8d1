import { pause } from '@parley/client';

/** As often as somebody sees a difference, in a conversation in which hundreds write; and how late it may become. */
const [leastMs, mostMs] = [100, 1000];
/** So many times as long as it has drawn, the page has nothing to do but to answer keys. */
const restsOfDrawing = 3;

/** How long a page rests that has applied events and drawn them for so long. */
export const restAfter = (drawnMs: number): number =>
  Math.min(mostMs, Math.max(leastMs, restsOfDrawing * drawnMs));

/** Waits until what events have changed is drawn, and then the longer, the more there was to draw. */
export async function gather(signal: AbortSignal): Promise<void> {
  const from = performance.now();
  // A page that nobody sees is not drawn.
  if (document.visibilityState === 'visible') await Promise.race([nextFrame(), pause(mostMs, signal)]);
  await pause(restAfter(performance.now() - from), signal);
}

/** Resolves in the first task after a frame. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => void pause(0).then(resolve));
  });
