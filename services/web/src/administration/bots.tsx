import { useSignal } from '@preact/signals';

import { ActButton } from '../forms/act-button.tsx';
import { Form, textOf } from '../forms/form.tsx';
import { own, part } from '../live/state.ts';
import { nameOfUser } from '../people/names.ts';
import { connection } from '../session/session.ts';
import { isAdmin, may } from './rights.ts';

const types = [
  [1, 'Reads and writes by the API'],
  [2, 'Incoming webhook: only writes'],
  [3, 'Outgoing webhook: is asked at an address'],
] as const;

const outgoing = 3;

/** Bots: one's own, and for administrators everyone's. */
export function Bots() {
  const type = useSignal(may('can_create_bots_group') ? 1 : 2);
  const bots = [...part('users').values()]
    .filter(({ is_bot, bot_owner_id }) => is_bot && (isAdmin() || bot_owner_id === own('user_id')))
    .sort((a, b) => a.full_name.localeCompare(b.full_name));
  return (
    <>
      <Form submit="Create" label="Create a bot" act={create}>
        <label>
          Name
          <input name="full_name" maxLength={100} required />
        </label>
        <label>
          Short name, for its address
          <input name="short_name" maxLength={80} required />
        </label>
        <label>
          What it does
          <select
            name="type"
            value={type.value}
            onChange={({ currentTarget }) => (type.value = Number(currentTarget.value))}
          >
            {types
              .filter(([value]) => value === 2 || may('can_create_bots_group'))
              .map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
          </select>
        </label>
        {type.value === outgoing && (
          <label>
            Address of its service
            <input name="url" type="url" required />
          </label>
        )}
      </Form>
      <ul class="plain-list">
        {bots.map(({ user_id: id, full_name: name, email, bot_owner_id }) => (
          <li key={id}>
            {name} <span class="dim">{email}</span>
            {bot_owner_id && `, of ${nameOfUser(bot_owner_id)}`} <ApiKey id={id} />{' '}
            <ActButton
              label={`Deactivate ${name}`}
              confirm={`Deactivate ${name}?`}
              act={() => connection().delete(`/bots/${id}`)}
            >
              Deactivate
            </ActButton>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The key of a bot that the person looks after. */
function ApiKey({ id }: { id: number }) {
  const key = own('realm_bots').find(({ user_id }) => user_id === id)?.api_key;
  if (!key) return null;
  return (
    <details>
      <summary>API key</summary>
      <code>{key}</code>
    </details>
  );
}

async function create(fields: FormData, form: HTMLFormElement): Promise<void> {
  const type = Number(textOf(fields, 'type'));
  await connection().post('/bots', {
    full_name: textOf(fields, 'full_name'),
    short_name: textOf(fields, 'short_name'),
    bot_type: type,
    ...(type === outgoing && { payload_url: JSON.stringify(textOf(fields, 'url')) }),
  });
  form.reset();
}
