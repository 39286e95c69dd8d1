import { useSignal } from '@preact/signals';

import { own } from '../../data/live/state.ts';
import { timeText } from '../../strings/drafts.ts';
import { errorText } from '../../strings/errors.ts';
import { locale } from '../../strings/language.ts';
import { fromLocalText, presetsAt, toLocalText } from './presets.ts';

interface TimeDialogProps {
  /** Whether a note can be added. */
  hasNote: boolean;
  readonly onPick: (at: number, note: string) => Promise<void>;
  readonly onDone: () => void;
}

/** Asks for a moment: one of those that people often mean, or any. */
export function TimeDialog({ hasNote, onPick, onDone }: TimeDialogProps) {
  const now = new Date();
  const chosen = useSignal(toLocalText(Math.floor(now.getTime() / 1000) + 3600));
  const note = useSignal('');
  const error = useSignal('');

  function pick(at: number): void {
    onPick(at, note.peek())
      .then(onDone)
      .catch((failure: unknown) => (error.value = errorText(failure)));
  }

  return (
    <div class="time-dialog">
      {hasNote && (
        <label>
          {timeText.note}{' '}
          <input
            maxLength={Number(own('max_reminder_note_length'))}
            value={note.value}
            onInput={({ currentTarget }) => (note.value = currentTarget.value)}
          />
        </label>
      )}
      {presetsAt(now).map(({ name, at }) => (
        <button key={name} type="button" onClick={() => pick(at)}>
          {name}{' '}
          <span class="dim">
            {new Date(at * 1000).toLocaleString(locale(), {
              weekday: 'short',
              hour: 'numeric',
              minute: '2-digit',
            })}
          </span>
        </button>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          pick(fromLocalText(chosen.peek()));
        }}
      >
        <label>
          {timeText.custom}{' '}
          <input
            type="datetime-local"
            required
            min={toLocalText(Math.floor(now.getTime() / 1000))}
            value={chosen.value}
            onInput={({ currentTarget }) => (chosen.value = currentTarget.value)}
          />
        </label>{' '}
        <button type="submit" class="primary">
          {timeText.choose}
        </button>
      </form>
      {error.value && (
        <p class="refusal-text" role="alert">
          {error.value}
        </p>
      )}
    </div>
  );
}
