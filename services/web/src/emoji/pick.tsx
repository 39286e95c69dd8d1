import type { Emoji } from '@parley/client';
import { signal } from '@preact/signals';
import { Suspense, lazy } from 'preact/compat';

import { Dialog } from '../shell/dialog.tsx';
import { commonText } from '../strings/common.ts';
import { emojiText } from '../strings/emoji.ts';

const EmojiPicker = lazy(async () => ({ default: (await import('./picker.tsx')).EmojiPicker }));

const asked = signal<((emoji: Emoji) => void) | null>(null);

/** Lets the person pick an emoji. */
export const pickEmoji = (onPick: (emoji: Emoji) => void): void => void (asked.value = onPick);

/** Shows the emoji picker while something has asked for an emoji. */
export function EmojiDialog() {
  const onPick = asked.value;
  if (!onPick) return null;
  const close = () => void (asked.value = null);
  return (
    <Dialog title={emojiText.title} onClose={close}>
      <Suspense fallback={<p class="dim">{commonText.loading}</p>}>
        <EmojiPicker
          onPick={(emoji) => {
            close();
            onPick(emoji);
          }}
        />
      </Suspense>
    </Dialog>
  );
}
