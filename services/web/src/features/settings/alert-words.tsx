import { X } from 'lucide-preact';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { commonText } from '../../strings/common.ts';
import { alertWordText } from '../../strings/settings.ts';

/** The words that notify somebody of a message. */
export const AlertWords = () => (
  <>
    <p>{alertWordText.about}</p>
    <ul class="plain-list">
      {own('alert_words').map((word) => (
        <li key={word}>
          {word}{' '}
          <ActButton
            class="icon-button"
            label={commonText.removeName(word)}
            act={() => connection().delete('/users/me/alert_words', { alert_words: [word] })}
          >
            <X />
          </ActButton>
        </li>
      ))}
    </ul>
    <Form
      submit={commonText.add}
      act={async (fields, form) => {
        await connection().post('/users/me/alert_words', { alert_words: [textOf(fields, 'word').trim()] });
        form.reset();
      }}
    >
      <label>
        {alertWordText.field}
        <input name="word" maxLength={100} required />
      </label>
    </Form>
  </>
);
