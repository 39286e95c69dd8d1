import { signal, useSignal } from '@preact/signals';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own, slice, userSetting } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { commonText } from '../../strings/common.ts';
import { statusText } from '../../strings/people.ts';
import { pickEmoji } from '../emoji/index.ts';

const isShown = signal(false);

export const showStatus = (): void => void (isShown.value = true);

/** What people often say of themselves, with names of emoji that every server has. */
const usual = [
  ['calendar', '📅', statusText.meeting],
  ['bus', '🚌', statusText.commuting],
  ['palm_tree', '🌴', statusText.vacation],
  ['house', '🏠', statusText.home],
  ['office', '🏢', statusText.office],
] as const;

/** Lets somebody set a status text and emoji, or hide their presence. */
export function StatusDialog() {
  if (!isShown.value) return null;
  const close = () => void (isShown.value = false);
  return (
    <Dialog title={statusText.title} onClose={close}>
      <StatusForm onDone={close} />
    </Dialog>
  );
}

function StatusForm({ onDone }: { readonly onDone: () => void }) {
  const { status_text = '', emoji_name = '' } = slice('statuses').get(own('user_id')) ?? {};
  const text = useSignal(status_text);
  const emoji = useSignal(emoji_name);
  const isInvisible = userSetting('presence_enabled') === false;
  const set = async (fields: { status_text: string; emoji_name: string }) => {
    await connection().post('/users/me/status', fields);
    onDone();
  };
  return (
    <>
      <Form
        submit={commonText.save}
        act={(fields) => set({ status_text: textOf(fields, 'text').trim(), emoji_name: emoji.peek() })}
      >
        <label>
          {statusText.field}
          <input
            dir="auto"
            name="text"
            maxLength={60}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <div class="row-actions">
          <button
            type="button"
            aria-label={statusText.emoji(emoji.value || statusText.noEmoji)}
            onClick={({ currentTarget }) =>
              pickEmoji(currentTarget, (picked) => (emoji.value = picked.emoji_name))
            }
          >
            {emoji.value === '' ? statusText.chooseEmoji : `:${emoji.value}:`}
          </button>
          {emoji.value !== '' && (
            <button type="button" onClick={() => (emoji.value = '')}>
              {statusText.removeEmoji}
            </button>
          )}
        </div>
        <div class="row-actions">
          {usual.map(([name, sign, said]) => (
            <button
              key={name}
              type="button"
              onClick={() => {
                emoji.value = name;
                text.value = said;
              }}
            >
              {sign} {said}
            </button>
          ))}
        </div>
      </Form>
      <div class="row-actions">
        <ActButton act={() => set({ status_text: '', emoji_name: '' })}>{statusText.clear}</ActButton>
        <ActButton act={() => connection().patch('/settings', { presence_enabled: isInvisible })}>
          {isInvisible ? statusText.goVisible : statusText.goInvisible}
        </ActButton>
      </div>
      <p class="dim">{isInvisible ? statusText.invisible : statusText.visible}</p>
    </>
  );
}
