import { useSignal } from '@preact/signals';

import { ActButton } from '../../base/forms/act-button.tsx';
import { FilterText } from '../../base/forms/filter-fields.tsx';
import { showError } from '../../base/toasts/toasts.tsx';
import { own, slice } from '../../data/live/state.ts';
import { namedRoles, roles } from '../../data/people/names.ts';
import { matchPeople } from '../../data/people/order.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { connection } from '../../data/session/session.ts';
import { accountsText, administrationText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';
import { Avatar } from '../avatars/index.ts';

/** The most users that are listed. The others are found by a search. */
const shownMax = 200;

/** Lists everyone with an account, with their roles, and lets accounts be deactivated. */
export function People() {
  const query = useSignal('');
  const isActive = useSignal(true);
  const everyone = [...slice(isActive.value ? 'users' : 'nonActiveUsers').values()];
  const people = matchPeople(
    everyone.filter(({ is_bot }) => !is_bot),
    query.value,
  ).sort((a, b) => a.full_name.localeCompare(b.full_name));
  return (
    <>
      <div class="row-actions">
        <FilterText
          label={accountsText.search}
          placeholder={commonText.search}
          text={query.value}
          onText={(text) => (query.value = text)}
        />
        <label>
          <input
            type="checkbox"
            checked={!isActive.value}
            onChange={({ currentTarget }) => (isActive.value = !currentTarget.checked)}
          />{' '}
          {accountsText.showDeactivated}
        </label>
      </div>
      <div class="table-scroll">
        <table class="table">
          <thead>
            <tr>
              <th>{commonText.name}</th>
              <th>{commonText.emailAddress}</th>
              <th>{accountsText.role}</th>
              <th>{accountsText.account}</th>
            </tr>
          </thead>
          <tbody>
            {people.slice(0, shownMax).map(({ user_id: id, full_name: name, delivery_email, role }) => (
              <tr key={id}>
                <th scope="row">
                  <NameButton id={id} name={name} />
                </th>
                <td>{delivery_email}</td>
                <td>
                  <RoleChoice id={id} name={name} role={role} />
                </td>
                <td>
                  {isActive.value ? (
                    <ActButton
                      label={administrationText.deactivateName(name)}
                      confirm={accountsText.confirmDeactivate(name)}
                      isDisabled={id === own('user_id')}
                      act={() => connection().delete(`/users/${id}`)}
                    >
                      {administrationText.deactivate}
                    </ActButton>
                  ) : (
                    <ActButton
                      label={accountsText.reactivateName(name)}
                      act={() => connection().post(`/users/${id}/reactivate`)}
                    >
                      {accountsText.reactivate}
                    </ActButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {people.length > shownMax && <p class="dim">{commonText.more(people.length - shownMax)}</p>}
    </>
  );
}

const NameButton = ({ id, name }: { id: number; name: string }) => (
  <button
    type="button"
    class="quiet name-button"
    onClick={({ currentTarget }) => showProfile(id, currentTarget)}
  >
    <Avatar id={id} size={20} hasPresence />
    {name}
  </button>
);

/** Owners are made, and unmade, by owners. */
function RoleChoice({ id, name, role }: { id: number; name: string; role: number }) {
  const isOffered = (value: number) => own('is_owner') || value !== roles.owner;
  return (
    <select
      aria-label={accountsText.roleOf(name)}
      value={role}
      disabled={!isOffered(role)}
      onChange={({ currentTarget }) => {
        connection()
          .patch(`/users/${id}`, { role: Number(currentTarget.value) })
          .catch((error: unknown) => {
            currentTarget.value = String(role);
            showError(error);
          });
      }}
    >
      {namedRoles
        .filter(([value]) => isOffered(value) || value === role)
        .map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
    </select>
  );
}
