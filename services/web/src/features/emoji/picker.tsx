import type { Emoji } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';

import { best } from '../../base/options/rank.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { type NamedEmoji, allEmoji, loadEmoji } from '../../data/emoji/emoji.ts';
import { emojiText } from '../../strings/emoji.ts';
import { Glyph } from './glyph.tsx';

const columns = 8;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -columns,
  ArrowDown: columns,
};

/** All emoji of the server and of the organization, found by name. Arrows move, Enter picks. */
export function EmojiPicker({ onPick }: { readonly onPick: (emoji: Emoji) => void }) {
  const query = useSignal('');
  const active = useSignal(0);
  const grid = useRef<VirtualizerHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // It comes after the popover has opened, and whoever opens it types at once.
    field.current?.focus();
    loadEmoji().catch(showError);
  }, []);
  const typed = query.value.trim().replaceAll(' ', '_');
  const shown = typed === '' ? allEmoji() : best(typed, allEmoji(), ({ names }) => names, 200);
  const rows = Array.from({ length: Math.ceil(shown.length / columns) }, (_, row) =>
    shown.slice(row * columns, (row + 1) * columns),
  );

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    const chosen = shown[active.peek()];
    if (step !== undefined) {
      const next = Math.max(0, Math.min(shown.length - 1, active.peek() + step));
      active.value = next;
      grid.current?.scrollToIndex(Math.floor(next / columns), { align: 'nearest' });
    } else if (event.key === 'Enter' && chosen) onPick(chosen);
    else return;
    event.preventDefault();
  }

  const name = shown[active.value]?.emoji_name;
  return (
    <div class="emoji-picker">
      <input
        ref={field}
        type="search"
        aria-label={emojiText.search}
        placeholder={emojiText.placeholder}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <p class="dim" aria-live="polite">
        {name ? `:${name}:` : emojiText.none}
      </p>
      <div class="emoji-grid">
        <Virtualizer ref={grid}>
          {rows.map((row, index) => (
            <div key={index} class="emoji-row">
              {row.map((emoji, column) => (
                <EmojiButton
                  key={`${emoji.reaction_type} ${emoji.emoji_code}`}
                  emoji={emoji}
                  isActive={index * columns + column === active.value}
                  onPick={onPick}
                />
              ))}
            </div>
          ))}
        </Virtualizer>
      </div>
    </div>
  );
}

interface EmojiButtonProps {
  emoji: NamedEmoji;
  isActive: boolean;
  readonly onPick: (emoji: Emoji) => void;
}

const EmojiButton = ({ emoji, isActive, onPick }: EmojiButtonProps) => (
  <button
    type="button"
    tabIndex={isActive ? 0 : -1}
    aria-label={emoji.emoji_name.replaceAll('_', ' ')}
    title={emoji.names.map((name) => `:${name}:`).join(' ')}
    onClick={() => onPick(emoji)}
  >
    <Glyph emoji={emoji} />
  </button>
);
