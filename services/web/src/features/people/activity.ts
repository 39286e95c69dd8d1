/** How long after their last input somebody still counts as active. */
const idleAfterMs = 5 * 60_000;

const kinds = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'focus'] as const;

/** Whether somebody uses the page. It begins with their having opened it. */
export class Activity {
  private lastInputAt = Date.now();
  private hasInput = true;

  /** Returns whether somebody uses the page now. */
  isActive(): boolean {
    return Date.now() - this.lastInputAt < idleAfterMs;
  }

  /** Returns whether there was input since this was asked last. */
  consumeInput(): boolean {
    const had = this.hasInput;
    this.hasInput = false;
    return had;
  }

  /** Observes the page. `onReturn` is called when somebody uses it again. Returns what ends it. */
  watch(onReturn: () => void): () => void {
    const onInput = () => {
      const wasActive = this.isActive();
      this.lastInputAt = Date.now();
      this.hasInput = true;
      if (!wasActive) onReturn();
    };
    const options = { capture: true, passive: true };
    for (const kind of kinds) globalThis.addEventListener(kind, onInput, options);
    return () => {
      for (const kind of kinds) globalThis.removeEventListener(kind, onInput, options);
    };
  }
}
