import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { placeBeside } from './beside.ts';

import './dialog.css';

interface PopoverProps {
  label: string;
  class?: string;
  /** What it is shown beside. Without one, or when that is gone, it stands in the middle. */
  opener: Element | null;
  dialog?: RefObject<HTMLDialogElement>;
  children: ComponentChildren;
  readonly onClose: () => void;
}

/** Shows something beside what opened it, until somebody presses elsewhere. It has the keyboard to itself. */
export function Popover({ label, class: name = '', opener, dialog: given, children, onClose }: PopoverProps) {
  const own = useRef<HTMLDialogElement>(null);
  const dialog = given ?? own;
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current) return;
    // It may be asked for in another dialog, of which all that is outside is inert.
    current.showModal();
    if (opener?.isConnected === true && opener !== document.body) placeBeside(current, opener);
  }, [opener]);
  return (
    // Escape closes it for the keyboard, as a press beside it does for the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      class={`popover ${name}`}
      aria-label={label}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
    >
      {children}
    </dialog>
  );
}
