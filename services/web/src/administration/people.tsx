import { useSignal } from '@preact/signals';

import { ActButton } from '../forms/act-button.tsx';
import { own, part } from '../live/state.ts';
import { roles } from '../people/names.ts';
import { matchPeople } from '../people/order.ts';
import { showProfile } from '../people/shown-profile.ts';
import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

/** So many are shown; the others one searches. */
const shownMax = 200;

/** Everyone with an account: their roles, and who is deactivated. */
export function People() {
  const query = useSignal('');
  const isActive = useSignal(true);
  const everyone = [...part(isActive.value ? 'users' : 'nonActiveUsers').values()];
  const people = matchPeople(
    everyone.filter(({ is_bot }) => !is_bot),
    query.value,
  ).sort((a, b) => a.full_name.localeCompare(b.full_name));
  return (
    <>
      <div class="row-actions">
        <input
          type="search"
          aria-label="Search accounts"
          placeholder="Search"
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
        />
        <label>
          <input
            type="checkbox"
            checked={!isActive.value}
            onChange={({ currentTarget }) => (isActive.value = !currentTarget.checked)}
          />{' '}
          Deactivated accounts
        </label>
      </div>
      <div class="table-scroll">
        <table class="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Email address</th>
              <th>Role</th>
              <th>Account</th>
            </tr>
          </thead>
          <tbody>
            {people.slice(0, shownMax).map(({ user_id: id, full_name: name, delivery_email, role }) => (
              <tr key={id}>
                <th scope="row">
                  <button type="button" class="icon-button" onClick={() => showProfile(id)}>
                    {name}
                  </button>
                </th>
                <td>{delivery_email}</td>
                <td>
                  <RoleChoice id={id} name={name} role={role} />
                </td>
                <td>
                  {isActive.value ? (
                    <ActButton
                      label={`Deactivate ${name}`}
                      confirm={`Deactivate the account of ${name}?`}
                      isDisabled={id === own('user_id')}
                      act={() => connection().delete(`/users/${id}`)}
                    >
                      Deactivate
                    </ActButton>
                  ) : (
                    <ActButton
                      label={`Reactivate ${name}`}
                      act={() => connection().post(`/users/${id}/reactivate`)}
                    >
                      Reactivate
                    </ActButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {people.length > shownMax && <p class="dim">and {people.length - shownMax} more</p>}
    </>
  );
}

/** Owners are made, and unmade, by owners. */
function RoleChoice({ id, name, role }: { id: number; name: string; role: number }) {
  const isOffered = (value: number) => own('is_owner') || value !== 100;
  return (
    <select
      aria-label={`Role of ${name}`}
      value={role}
      disabled={!isOffered(role)}
      onChange={({ currentTarget }) => {
        connection()
          .patch(`/users/${id}`, { role: Number(currentTarget.value) })
          .catch((error: unknown) => {
            currentTarget.value = String(role);
            tellError(error);
          });
      }}
    >
      {roles
        .filter(([value]) => isOffered(value) || value === role)
        .map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
    </select>
  );
}
