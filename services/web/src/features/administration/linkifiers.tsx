import { X } from 'lucide-preact';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { linkifierText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';

interface Linkifier {
  id: number;
  pattern: string;
  url_template: string;
}

/** Patterns in messages that become links. */
export const Linkifiers = () => (
  <>
    <ul class="plain-list">
      {(own('realm_linkifiers') as Linkifier[]).map(({ id, pattern, url_template }) => (
        <li key={id}>
          <code>{pattern}</code> {linkifierText.linksTo} <code>{url_template}</code>{' '}
          <ActButton
            class="icon-button"
            label={commonText.removeName(pattern)}
            act={() => connection().delete(`/realm/filters/${id}`)}
          >
            <X />
          </ActButton>
        </li>
      ))}
    </ul>
    <Form
      submit={commonText.add}
      act={async (fields, form) => {
        const linkifier = { pattern: textOf(fields, 'pattern'), url_template: textOf(fields, 'template') };
        await connection().post('/realm/filters', linkifier);
        form.reset();
      }}
    >
      <label>
        {linkifierText.pattern} <code>{'#(?P<id>[0-9]+)'}</code>
        <input name="pattern" required />
      </label>
      <label>
        {linkifierText.template} <code>{'https://example.com/issues/{id}'}</code>
        <input name="template" required />
      </label>
    </Form>
  </>
);
