import { useSignal } from '@preact/signals';
import { ArrowUp, X } from 'lucide-preact';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { profileFieldText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';

/** The number of the type of which one chooses an option. */
const choiceType = 3;

/** Returns a list of options as the API keeps it, from one option per line. */
const optionsOf = (lines: string): object => {
  const texts = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return Object.fromEntries(
    texts.map((text, at) => [String(at + 1), { text, order: String(at + 1) }] as const),
  );
};

/** What people say of themselves besides their name, as the organization asks for it. */
export function ProfileFields() {
  const fields = own('custom_profile_fields');
  const order = fields.map(({ id }) => id);
  const raise = (at: number) => {
    const next = [...order];
    const [moved] = next.splice(at, 1);
    if (moved !== undefined) next.splice(at - 1, 0, moved);
    return connection().patch('/realm/profile_fields', { order: next });
  };
  return (
    <>
      {fields.length === 0 && <p class="dim">{profileFieldText.none}</p>}
      <ul class="plain-list">
        {fields.map(({ id, name, type }, at) => (
          <li key={id} class="row-actions">
            <span dir="auto">
              {name}{' '}
              <span class="dim">{profileFieldText.types[type as keyof typeof profileFieldText.types]}</span>
            </span>
            {at > 0 && (
              <ActButton class="icon-button" label={profileFieldText.raise(name)} act={() => raise(at)}>
                <ArrowUp />
              </ActButton>
            )}
            <ActButton
              class="icon-button"
              label={commonText.removeName(name)}
              confirm={profileFieldText.confirm(name)}
              act={() => connection().delete(`/realm/profile_fields/${id}`)}
            >
              <X />
            </ActButton>
          </li>
        ))}
      </ul>
      <NewField />
    </>
  );
}

function NewField() {
  const type = useSignal(1);
  return (
    <Form
      submit={commonText.add}
      label={profileFieldText.title}
      act={async (fields, form) => {
        await connection().post('/realm/profile_fields', {
          name: textOf(fields, 'name'),
          hint: textOf(fields, 'hint'),
          field_type: type.peek(),
          ...(type.peek() === choiceType && { field_data: optionsOf(textOf(fields, 'options')) }),
        });
        form.reset();
        type.value = 1;
      }}
    >
      <h2>{profileFieldText.title}</h2>
      <label>
        {commonText.name}
        <input name="name" maxLength={40} required />
      </label>
      <label>
        {profileFieldText.hint}
        <input name="hint" maxLength={80} />
      </label>
      <label>
        {profileFieldText.type}
        <select
          name="type"
          value={String(type.value)}
          onChange={({ currentTarget }) => (type.value = Number(currentTarget.value))}
        >
          {Object.entries(profileFieldText.types)
            .filter(([value]) => value !== '7')
            .map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
        </select>
      </label>
      {type.value === choiceType && (
        <label>
          {profileFieldText.options}
          <textarea name="options" rows={4} required />
        </label>
      )}
    </Form>
  );
}
