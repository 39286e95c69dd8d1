import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { showKeys } from '../../base/keys/key-help.tsx';
import { Combobox } from '../../base/options/combobox.tsx';
import { go } from '../../base/router/fragment.ts';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import { attempt } from '../../data/actions/verbs.ts';
import { peek, slice } from '../../data/live/state.ts';
import { pictureOf } from '../../data/people/picture-of.ts';
import { connection } from '../../data/session/session.ts';
import { openChannel } from '../../data/topics/open-channel.ts';
import { askFocus, openBlank } from '../../data/writing/composition.ts';
import { toChannelTarget } from '../../data/writing/target.ts';
import { jumpText } from '../../strings/jump.ts';
import { type JumpCommand, findTargets } from './targets.ts';

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
  date: () => showDialog({ kind: 'date' }),
  keys: showKeys,
};

/** A field in which whatever is typed leads somewhere: channels, topics, people, views and commands. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const query = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    // The key that opens it closes it.
    field.current?.addEventListener('keydown', (event) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onClose();
    });
  }, []);
  // What comes meanwhile is found too.
  for (const name of ['unread', 'channels', 'subscriptions', 'users', 'topics'] as const) slice(name);
  const targets = findTargets(query.value, peek());
  const options = targets.map(({ userId = 0, ...target }) => {
    const user = peek().users.get(userId);
    return { ...target, text: target.key, ...(user && { person: pictureOf(user) }) };
  });

  function choose({ key }: { key: string }): void {
    const target = targets.find((one) => one.key === key);
    onClose();
    if (!target) return;
    // The dialog has the keyboard to itself until it is gone.
    requestAnimationFrame(() => {
      if (target.href === null) acts[target.key as JumpCommand]();
      else if (target.channelId !== undefined) void openChannel(target.channelId);
      else go(target.href);
    });
  }

  return (
    <Dialog title={jumpText.title} onClose={onClose}>
      <Combobox
        field={field}
        label={jumpText.field}
        placeholder={jumpText.field}
        value={query.value}
        isAlwaysShown
        options={() => options}
        onText={(text) => (query.value = text)}
        onChoose={choose}
      />
    </Dialog>
  );
}
