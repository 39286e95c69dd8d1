import { useSignal } from '@preact/signals';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own, slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { isAdmin, may } from '../../data/people/rights.ts';
import { connection } from '../../data/session/session.ts';
import { administrationText, botText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';

const types = [
  [1, botText.generic],
  [2, botText.incoming],
  [3, botText.outgoing],
] as const;

const incoming = 2;
const outgoing = 3;

/** Bots: one's own, and for administrators everyone's. */
export function Bots() {
  const type = useSignal(may('can_create_bots_group') ? 1 : 2);
  const bots = [...slice('users').values()]
    .filter(({ is_bot, bot_owner_id }) => is_bot && (isAdmin() || bot_owner_id === own('user_id')))
    .sort((a, b) => a.full_name.localeCompare(b.full_name));
  return (
    <>
      <Form submit={commonText.create} label={botText.title} act={create}>
        <label>
          {commonText.name}
          <input name="full_name" maxLength={100} required />
        </label>
        <label>
          {botText.shortName}
          <input name="short_name" maxLength={80} required />
        </label>
        <label>
          {botText.type}
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
        {type.value === incoming && (
          <>
            <label>
              {botText.secret}
              <input name="secret" maxLength={500} autocomplete="off" />
            </label>
            <a href="/integrations" target="_blank" rel="noreferrer">
              {botText.integrations}
            </a>
          </>
        )}
        {type.value === outgoing && (
          <label>
            {botText.url}
            <input name="url" type="url" required />
          </label>
        )}
      </Form>
      <ul class="plain-list">
        {bots.map(({ user_id: id, full_name: name, email, bot_owner_id }) => (
          <li key={id}>
            {name} <span class="dim">{email}</span>
            {bot_owner_id && <span class="dim">{botText.owner(nameOfUser(bot_owner_id))}</span>}{' '}
            <ApiKey id={id} />{' '}
            <ActButton
              label={administrationText.deactivateName(name)}
              confirm={botText.confirm(name)}
              act={() => connection().delete(`/bots/${id}`)}
            >
              {administrationText.deactivate}
            </ActButton>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Shows the key of a bot that the person owns. */
function ApiKey({ id }: { id: number }) {
  const key = own('realm_bots').find(({ user_id }) => user_id === id)?.api_key;
  if (!key) return null;
  return (
    <details>
      <summary>{botText.apiKey}</summary>
      <code>{key}</code>
    </details>
  );
}

async function create(fields: FormData, form: HTMLFormElement): Promise<void> {
  const type = Number(textOf(fields, 'type'));
  const secret = type === incoming ? textOf(fields, 'secret') : '';
  await connection().post('/bots', {
    full_name: textOf(fields, 'full_name'),
    short_name: textOf(fields, 'short_name'),
    bot_type: type,
    ...(secret !== '' && { config_data: JSON.stringify({ secret }) }),
    ...(type === outgoing && { payload_url: JSON.stringify(textOf(fields, 'url')) }),
  });
  form.reset();
}
