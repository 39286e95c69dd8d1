import type { Emoji } from '@parley/client';
import { signal } from '@preact/signals';
import { Suspense, lazy } from 'preact/compat';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { placeBeside } from '../../base/dialogs/beside.ts';
import { commonText } from '../../strings/common.ts';
import { emojiText } from '../../strings/emoji.ts';

import './emoji.css';

const EmojiPicker = lazy(async () => ({ default: (await import('./picker.tsx')).EmojiPicker }));

interface Question {
  opener: Element;
  readonly onPick: (emoji: Emoji) => void;
}

const asked = signal<Question | null>(null);

/** Lets the person pick an emoji, beside what asked for it. */
export const pickEmoji = (opener: Element, onPick: (emoji: Emoji) => void): void =>
  void (asked.value = { opener, onPick });

/** Shows the emoji picker while something has asked for an emoji. */
export function EmojiPopover() {
  const dialog = useRef<HTMLDialogElement>(null);
  const now = asked.value;
  useLayoutEffect(() => {
    if (!dialog.current || !now) return;
    // It may be asked for in another dialog, of which all that is outside is inert.
    dialog.current.showModal();
    placeBeside(dialog.current, now.opener);
  }, [now]);
  if (!now) return null;
  return (
    // Escape closes it for the keyboard, as a press beside it does for the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      class="emoji-popover"
      aria-label={emojiText.title}
      onClose={() => (asked.value = null)}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <Suspense fallback={<p class="dim">{commonText.loading}</p>}>
        <EmojiPicker
          onPick={(emoji) => {
            dialog.current?.close();
            now.onPick(emoji);
          }}
        />
      </Suspense>
    </dialog>
  );
}
