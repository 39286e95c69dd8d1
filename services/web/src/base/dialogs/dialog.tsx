import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

import { commonText } from '../../strings/common.ts';

import './dialog.css';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Called when it is closed, by whatever. Whoever shows it then shows it no more. */
  readonly onClose: () => void;
}

/** A modal dialog. The browser keeps the focus in it, and restores it afterwards. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key is pressed: it is meant for the dialog.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id} dir="auto">
          {title}
        </h2>
        <button
          type="button"
          class="icon-button"
          aria-label={commonText.close}
          onClick={() => dialog.current?.close()}
        >
          <X />
        </button>
      </header>
      {/* What is longer than the dialog scrolls by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div class="dialog-body" tabIndex={0}>
        {children}
      </div>
    </dialog>
  );
}
