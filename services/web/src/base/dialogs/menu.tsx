import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { placeBeside } from './beside.ts';

/** A line of a menu. */
export interface Item {
  name: string;
  isChosen?: boolean;
  readonly act: () => void;
}

const shown = signal<{ label: string; button: HTMLElement; items: readonly Item[] } | null>(null);

/** Opens a menu beside the button that asks for it. */
export const openMenu = (label: string, button: HTMLElement, items: readonly Item[]): void =>
  void (shown.value = { label, button, items });

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The one menu of the page. Rows of long lists have no menu of their own. */
export function Menu() {
  const menu = useRef<HTMLDivElement>(null);
  const now = shown.value;
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element || !now) return;
    element.showPopover();
    placeBeside(element, now.button);
    element.querySelector('button')?.focus();
  }, [now]);
  if (!now) return null;

  function move(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step === undefined) return;
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
    event.preventDefault();
  }

  return (
    <div
      ref={menu}
      class="action-menu"
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={now.label}
      onKeyDown={move}
      onToggle={({ newState }) => {
        if (newState !== 'closed' || shown.peek() !== now) return;
        shown.value = null;
        now.button.focus();
      }}
    >
      {now.items.map(({ name, isChosen, act }) => (
        <button
          key={name}
          type="button"
          role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={isChosen}
          onClick={() => {
            menu.current?.hidePopover();
            act();
          }}
        >
          {isChosen === true ? `${name} ✓` : name}
        </button>
      ))}
    </div>
  );
}
