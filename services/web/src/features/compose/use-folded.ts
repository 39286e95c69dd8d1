import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { peek } from '../../data/live/state.ts';
import { type Draft, isBlank } from '../../data/writing/draft.ts';
import { keyOf } from '../../data/writing/target.ts';
import { uploads } from '../../data/writing/uploads.ts';

/**
 * An empty box is one line until somebody writes in it. It stays open while they look elsewhere, so that nothing moves
 * below their pointer; another conversation and Escape fold it again.
 */
export function useFolded(draft: Draft, isOfView: boolean) {
  const isTouched = useSignal(false);
  const key = keyOf(draft.target, peek().own.user_id);
  useEffect(() => {
    if (!document.activeElement?.closest('.compose')) isTouched.value = false;
  }, [key]);
  return {
    isFolded: isOfView && !isTouched.value && isBlank(draft) && uploads.value.length === 0,
    handlers: {
      onFocusIn({ target }: FocusEvent) {
        // A button that moved while it is pressed would not be pressed.
        if (target instanceof HTMLTextAreaElement) isTouched.value = true;
      },
      onKeyDown({ key }: KeyboardEvent) {
        if (key === 'Escape') isTouched.value = false;
      },
    },
  };
}
