import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { showKeys } from '../../base/keys/key-help.tsx';
import { OptionList } from '../../base/options/option-list.tsx';
import { useOptions } from '../../base/options/use-options.ts';
import { hueOf } from '../../base/pictures/hue.ts';
import { go } from '../../base/router/fragment.ts';
import { attempt } from '../../data/actions/verbs.ts';
import { peek, slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { askFocus, openBlank } from '../../data/writing/composition.ts';
import { toChannelTarget } from '../../data/writing/target.ts';
import { jumpText } from '../../strings/jump.ts';
import { type JumpCommand, type JumpTarget, findTargets } from './targets.ts';

const acts: Readonly<Record<JumpCommand, () => void>> = {
  'new-message': () => {
    openBlank(toChannelTarget(null));
    askFocus('recipient');
  },
  'new-direct': () => {
    openBlank({ kind: 'direct', userIds: [] });
    askFocus('recipient');
  },
  'mark-all': () => attempt(connection().post('/mark_all_as_read'), jumpText.markedAll),
  keys: showKeys,
};

/** A field in which whatever is typed leads somewhere: channels, topics, people, views and commands. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const query = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  // What comes meanwhile is found too.
  for (const name of ['unread', 'channels', 'subscriptions', 'users', 'topics'] as const) slice(name);
  const targets = findTargets(query.value, peek());
  const options = targets.map((target) => ({ ...target, text: target.key, ...pictureOf(target) }));

  function choose({ key }: { key: string }): void {
    const target = targets.find((one) => one.key === key);
    onClose();
    if (!target) return;
    // The dialog gives the keyboard back to where it was, and then it goes on.
    requestAnimationFrame(() => {
      if (target.href === null) acts[target.key as JumpCommand]();
      else go(target.href);
    });
  }
  const list = useOptions(options, choose);

  return (
    <Dialog title={jumpText.title} onClose={onClose}>
      <input
        ref={field}
        dir="auto"
        type="search"
        role="combobox"
        class="jump-field"
        aria-label={jumpText.field}
        aria-expanded={list.isOpen}
        placeholder={jumpText.field}
        autocomplete="off"
        value={query.value}
        {...list.attributes}
        aria-controls={list.id}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          list.first();
        }}
        onKeyDown={(event) => {
          if (list.onKeyDown(event)) return;
          if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onClose();
        }}
      />
      <OptionList
        id={list.id}
        label={jumpText.title}
        options={options}
        active={list.active}
        onChoose={choose}
      />
    </Dialog>
  );
}

function pictureOf({ userId, label }: JumpTarget) {
  if (userId === undefined) return {};
  const address = peek().users.get(userId)?.avatar_url;
  return { person: { src: typeof address === 'string' ? address : '', name: label, hue: hueOf(userId) } };
}
