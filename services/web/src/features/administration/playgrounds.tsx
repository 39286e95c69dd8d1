import { X } from 'lucide-preact';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { playgroundText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';

interface Playground {
  id: number;
  name: string;
  pygments_language: string;
  url_template: string;
}

/** Where code of messages can be tried, by its language. */
export const Playgrounds = () => (
  <>
    <p class="dim">{playgroundText.about}</p>
    <ul class="plain-list">
      {((own('realm_playgrounds') ?? []) as Playground[]).map(
        ({ id, name, pygments_language: language, url_template }) => (
          <li key={id}>
            {playgroundText.of(language, name)} <code>{url_template}</code>{' '}
            <ActButton
              class="icon-button"
              label={commonText.removeName(name)}
              act={() => connection().delete(`/realm/playgrounds/${id}`)}
            >
              <X />
            </ActButton>
          </li>
        ),
      )}
    </ul>
    <Form
      submit={commonText.add}
      act={async (fields, form) => {
        await connection().post('/realm/playgrounds', {
          name: textOf(fields, 'name'),
          pygments_language: textOf(fields, 'language'),
          url_template: textOf(fields, 'template'),
        });
        form.reset();
      }}
    >
      <label>
        {playgroundText.language}
        <input name="language" maxLength={40} required />
      </label>
      <label>
        {commonText.name}
        <input name="name" required />
      </label>
      <label>
        {playgroundText.template} <code>{'https://example.com/?code={code}'}</code>
        <input name="template" required />
      </label>
    </Form>
  </>
);
