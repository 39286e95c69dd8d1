import type { Emoji } from '@parley/client';
import { signal } from '@preact/signals';
import { Suspense, lazy } from 'preact/compat';
import { useRef } from 'preact/hooks';

import { Popover } from '../../base/dialogs/popover.tsx';
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
  if (!now) return null;
  return (
    <Popover
      class="emoji-popover"
      label={emojiText.title}
      opener={now.opener}
      dialog={dialog}
      onClose={() => (asked.value = null)}
    >
      <Suspense fallback={<p class="dim">{commonText.loading}</p>}>
        <EmojiPicker
          onPick={(emoji) => {
            dialog.current?.close();
            now.onPick(emoji);
          }}
        />
      </Suspense>
    </Popover>
  );
}
