/** How long after their last input somebody still counts as active. */
const idleAfterMs = 5 * 60_000;

let lastInputAt = Date.now();
let hasInput = true;

const kinds = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'focus'] as const;

/** Observes whether somebody uses the page. `onReturn` is called when they do again. Returns what ends it. */
export function watchActivity(onReturn: () => void): () => void {
  const onInput = () => {
    const wasActive = isActive();
    lastInputAt = Date.now();
    hasInput = true;
    if (!wasActive) onReturn();
  };
  const options = { capture: true, passive: true };
  for (const kind of kinds) globalThis.addEventListener(kind, onInput, options);
  return () => {
    for (const kind of kinds) globalThis.removeEventListener(kind, onInput, options);
  };
}

/** Returns whether somebody uses the page now. */
export const isActive = (): boolean => Date.now() - lastInputAt < idleAfterMs;

/** Returns whether there was input since this was asked last. */
export function consumeInput(): boolean {
  const had = hasInput;
  hasInput = false;
  return had;
}
