import { type Message, RequestFailed, editMessage, getRawContent, sendEditTyping } from '@parley/client';
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { useCommand } from '../../base/keys/commands.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { own, peek } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { upload } from '../../data/writing/uploads.ts';
import { actionText, editText } from '../../strings/actions.ts';
import { commonText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';
import { type FieldHandle, MarkdownField, Preview } from '../compose/index.ts';
import { forgetEdit, keepEdit, keptEdit } from './kept-edits.ts';
import { move } from './message-menu.ts';
import { sha256 } from './sha256.ts';

import './actions.css';

/** Shows the editor of a message in the place of its content. Text that was not saved is kept. */
export function EditBox({ message, onDone }: { message: Message; readonly onDone: () => void }) {
  const { id, stream_id } = message;
  const isPreview = useSignal(false);
  const field = useRef<FieldHandle>(null);
  const { text, error, isLoaded, done, save } = useEdit(message, field, onDone);
  if (!isLoaded) return <p class="dim">{commonText.loading}</p>;
  const length = [...text.value].length;
  const max = Number(own('max_message_length'));
  return (
    <form
      class="edit-box"
      aria-label={editText.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isPreview.value ? (
        <Preview content={text.value} />
      ) : (
        <MarkdownField
          handle={field}
          label={editText.field}
          value={text.value}
          channelId={stream_id ?? null}
          onText={(typed) => {
            text.value = typed;
            keepEdit(id, typed);
          }}
          onSend={() => void save()}
          onFiles={(files) => upload(files, (link) => field.current?.insert(link), null)}
        />
      )}
      {error && (
        <p class="refusal-text" role="alert">
          {error}
        </p>
      )}
      <p>
        <button type="submit" class="primary" disabled={length > max}>
          {commonText.save}
        </button>{' '}
        <button type="button" onClick={done}>
          {commonText.cancel}
        </button>{' '}
        <button
          type="button"
          aria-pressed={isPreview.value}
          onClick={() => (isPreview.value = !isPreview.value)}
        >
          {commonText.preview}
        </button>{' '}
        {stream_id !== undefined && (
          <button type="button" onClick={() => move(message)}>
            {actionText.move}
          </button>
        )}
        {length > max && <span class="refusal-text"> {editText.length(length, max)}</span>}
      </p>
    </form>
  );
}

/** Loads what is edited, and saves it unless somebody else has changed it meanwhile. */
function useEdit(message: Message, field: RefObject<FieldHandle>, onDone: () => void) {
  const { id } = message;
  const before = useSignal<string | null>(null);
  const text = useSignal(keptEdit(id) ?? '');
  const error = useSignal('');
  useEffect(() => {
    getRawContent(connection(), id)
      .then((content) => {
        before.value = content;
        text.value = keptEdit(id) ?? content;
        field.current?.focus();
      })
      .catch(showError);
  }, [id]);
  useTypingNotices(message, text.value !== before.value);
  useCommand('escape', () => {
    if (!document.activeElement?.closest('.edit-box')) return false;
    done();
    return true;
  });

  function done(): void {
    forgetEdit(id);
    onDone();
  }

  async function save(): Promise<void> {
    const [content, old] = [text.peek(), before.peek() ?? ''];
    if (content === old) return done();
    try {
      const prevContentSha256 = await sha256(old);
      await editMessage(connection(), id, { content, ...(prevContentSha256 && { prevContentSha256 }) });
      done();
    } catch (failure) {
      error.value = errorText(failure);
      if (failure instanceof RequestFailed && failure.code === 'EXPECTATION_MISMATCH') {
        error.value = editText.conflict;
        before.value = await getRawContent(connection(), id);
      }
    }
  }
  return { text, error: error.value, isLoaded: before.value !== null, done, save };
}

/** Sends typing notifications while a message is being edited, as often as the server asks for. */
function useTypingNotices({ id, stream_id }: Message, isChanged: boolean): void {
  useEffect(() => {
    const { user_settings } = peek().own;
    const setting = stream_id === undefined ? 'private' : 'stream';
    if (!isChanged || user_settings[`send_${setting}_typing_notifications`] !== true) return undefined;
    // Such notices may be lost, so failures are ignored.
    const send = (op: 'start' | 'stop') => void sendEditTyping(connection(), op, id).catch(() => undefined);
    send('start');
    const every = Number(peek().own['server_typing_started_wait_period_milliseconds']);
    const timer = setInterval(() => send('start'), every);
    return () => {
      clearInterval(timer);
      send('stop');
    };
  }, [id, isChanged]);
}
