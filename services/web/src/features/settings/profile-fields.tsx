import { Form, numbersOf, textOf } from '../../base/forms/form.tsx';
import { own, slice } from '../../data/live/state.ts';
import { userOf } from '../../data/people/names.ts';
import { connection } from '../../data/session/session.ts';
import { accountText } from '../../strings/settings.ts';

interface Field {
  id: number;
  name: string;
  type: number;
  hint?: string;
  field_data?: string;
}

/** Types of fields: a line, a long text, one of a list, a day, a link, people, an account elsewhere, pronouns. */
const types = { long: 2, choice: 3, date: 4, link: 5, people: 6 } as const;

/** Lets somebody answer what the profiles of the organization ask for. */
export function ProfileFields() {
  const fields = own('custom_profile_fields') as unknown as Field[];
  const said = userOf(own('user_id'))?.profile_data ?? {};
  if (fields.length === 0) return null;
  return (
    <Form
      submit={accountText.saveProfile}
      act={async (entered) => {
        const values = fields.map((field) => ({ id: field.id, value: valueIn(entered, field) }));
        const set = values.filter(({ value }) => value.length > 0);
        const cleared = values.filter(({ id, value }) => value.length === 0 && said[id]).map(({ id }) => id);
        if (set.length > 0) await connection().patch('/users/me/profile_data', { data: set });
        if (cleared.length > 0) await connection().delete('/users/me/profile_data', { data: cleared });
      }}
    >
      <h2>{accountText.profile}</h2>
      {fields.map((field) => (
        <label key={field.id}>
          {field.name}
          <FieldInput field={field} value={said[field.id]?.value ?? ''} />
          {field.hint && <small class="dim">{field.hint}</small>}
        </label>
      ))}
    </Form>
  );
}

/** What was entered in a field: a text, or the ids of people. */
const valueIn = (entered: FormData, { id, type }: Field): string | number[] =>
  type === types.people ? numbersOf(entered, String(id)) : textOf(entered, String(id));

/** The most people whom one chooses from in a list that is shown whole. */
const peopleMax = 2000;

function PeopleInput({ name, value }: { name: string; value: string }) {
  const chosen = new Set(value === '' ? [] : (JSON.parse(value) as number[]));
  const people = [...slice('users').values()]
    .filter(({ is_bot }) => !is_bot)
    .sort(
      (a, b) =>
        Number(chosen.has(b.user_id)) - Number(chosen.has(a.user_id)) ||
        a.full_name.localeCompare(b.full_name),
    )
    .slice(0, peopleMax);
  return (
    <select name={name} multiple size={4}>
      {people.map(({ user_id, full_name }) => (
        <option key={user_id} value={user_id} selected={chosen.has(user_id)}>
          {full_name}
        </option>
      ))}
    </select>
  );
}

function FieldInput({ field: { id, type, field_data = '' }, value }: { field: Field; value: string }) {
  const name = String(id);
  if (type === types.people) return <PeopleInput name={name} value={value} />;
  if (type === types.long) return <textarea name={name} maxLength={500} defaultValue={value} />;
  if (type === types.choice) {
    const options = Object.entries(JSON.parse(field_data || '{}') as Record<string, { text: string }>);
    return (
      <select name={name}>
        {[['', { text: '' }] as const, ...options].map(([option, { text }]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    );
  }
  const kind = type === types.date ? 'date' : type === types.link ? 'url' : 'text';
  return <input name={name} type={kind} defaultValue={value} />;
}
