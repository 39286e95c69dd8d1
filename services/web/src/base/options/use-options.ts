import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

import type { Suggestion } from './suggestion.ts';

/** Moves through options by keys while a field has the keyboard. */
export function useOptions(options: readonly Suggestion[], onChoose: (option: Suggestion) => void) {
  const id = useId();
  const wanted = useSignal(0);
  const active = Math.min(wanted.value, options.length - 1);
  const isOpen = options.length > 0;

  /** Returns whether the key was for the options. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) wanted.value = (active + step + options.length) % options.length;
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) {
      const option = options[active];
      if (option) onChoose(option);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return {
    id,
    active,
    isOpen,
    onKeyDown,
    first: () => void (wanted.value = 0),
    /** What the field says of its options. */
    attributes: {
      'aria-autocomplete': 'list' as const,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? `${id}-${active}` : undefined,
    },
  };
}
