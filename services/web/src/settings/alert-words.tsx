import { X } from 'lucide-preact';

import { ActButton } from '../forms/act-button.tsx';
import { Form, textOf } from '../forms/form.tsx';
import { own } from '../live/state.ts';
import { connection } from '../session/session.ts';

/** Words of which one wants to be told. */
export const AlertWords = () => (
  <>
    <p>You are told of messages that contain one of these words.</p>
    <ul class="plain-list">
      {own('alert_words').map((word) => (
        <li key={word}>
          {word}{' '}
          <ActButton
            class="icon-button"
            label={`Remove ${word}`}
            act={() => connection().delete('/users/me/alert_words', { alert_words: [word] })}
          >
            <X />
          </ActButton>
        </li>
      ))}
    </ul>
    <Form
      submit="Add"
      act={async (fields, form) => {
        await connection().post('/users/me/alert_words', { alert_words: [textOf(fields, 'word').trim()] });
        form.reset();
      }}
    >
      <label>
        A word, or several
        <input name="word" maxLength={100} required />
      </label>
    </Form>
  </>
);
