import type { UserGroup } from '@parley/client';
import { useSignal } from '@preact/signals';
import { X } from 'lucide-preact';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own, slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { isGranted, may } from '../../data/people/rights.ts';
import { connection } from '../../data/session/session.ts';
import { administrationText, groupText } from '../../strings/administration.ts';
import { commonText, nameText } from '../../strings/common.ts';
import { GroupSettingField, settingName } from './group-setting.tsx';

/** The groups of people: who is in them, and who may do what with them. */
export function Groups() {
  const shown = useSignal<number | null>(null);
  const groups = [...slice('groups').values()]
    .filter(({ deactivated, is_system_group }) => !deactivated && !is_system_group)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      {may('can_create_groups') && (
        <Form submit={commonText.create} label={groupText.title} act={create}>
          <label>
            {commonText.name}
            <input name="name" maxLength={100} required />
          </label>
          <label>
            {commonText.description}
            <input name="description" maxLength={1024} />
          </label>
        </Form>
      )}
      {groups.length === 0 && <p class="dim">{groupText.none}</p>}
      {groups.map((group) => (
        <details
          key={group.id}
          open={shown.value === group.id}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open) shown.value = group.id;
          }}
        >
          <summary>
            {group.name} <span class="dim">{groupText.size(group.members.size)}</span>
          </summary>
          {shown.value === group.id && <Group group={group} />}
        </details>
      ))}
    </>
  );
}

async function create(fields: FormData, form: HTMLFormElement): Promise<void> {
  await connection().post('/user_groups/create', {
    name: textOf(fields, 'name'),
    description: textOf(fields, 'description'),
    members: [own('user_id')],
  });
  form.reset();
}

/** The permissions of a group, as its fields. */
const permissions = [
  'can_manage_group',
  'can_mention_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_join_group',
  'can_leave_group',
] as const;

function Group({ group }: { group: UserGroup }) {
  const { id, name, description, members, direct_subgroup_ids: subgroups } = group;
  const groups = slice('groups');
  const maySet = may('can_manage_all_groups') || isGranted(group.can_manage_group);
  const mayAdd = maySet || isGranted(group.can_add_members_group);
  const mayRemove = maySet || isGranted(group.can_remove_members_group);
  const post = (kind: 'members' | 'subgroups', change: { add?: number[]; delete?: number[] }) =>
    connection().post(`/user_groups/${id}/${kind}`, change);
  return (
    <div>
      <p>{description}</p>
      <ul class="plain-list">
        {[...subgroups].map((one) => (
          <Entry
            key={`group ${one}`}
            name={groupText.subgroup(groups.get(one)?.name ?? nameText.group(one))}
            from={name}
            remove={maySet ? () => post('subgroups', { delete: [one] }) : null}
          />
        ))}
        {[...members].map((userId) => (
          <Entry
            key={userId}
            name={nameOfUser(userId)}
            from={name}
            remove={mayRemove ? () => post('members', { delete: [userId] }) : null}
          />
        ))}
      </ul>
      {mayAdd && <AddMember group={group} add={(userId) => post('members', { add: [userId] })} />}
      {maySet && <AddSubgroup group={group} add={(one) => post('subgroups', { add: [one] })} />}
      <fieldset class="settings-group">
        <legend>{administrationText.whoCan}</legend>
        {permissions.map((permission) => (
          <GroupSettingField
            key={permission}
            name={permission}
            label={settingName(permission)}
            value={group[permission]}
            isDisabled={!maySet}
            save={(change) => connection().patch(`/user_groups/${id}`, { [permission]: change })}
          />
        ))}
      </fieldset>
      {maySet && (
        <ActButton
          confirm={groupText.confirmDeactivate(name)}
          act={() => connection().post(`/user_groups/${id}/deactivate`)}
        >
          {groupText.deactivate}
        </ActButton>
      )}
    </div>
  );
}

interface EntryProps {
  name: string;
  from: string;
  remove: (() => Promise<unknown>) | null;
}

const Entry = ({ name, from, remove }: EntryProps) => (
  <li>
    {name}{' '}
    {remove && (
      <ActButton class="icon-button" label={groupText.remove(name, from)} act={remove}>
        <X />
      </ActButton>
    )}
  </li>
);

interface AddProps {
  group: UserGroup;
  readonly add: (id: number) => Promise<unknown>;
}

const AddMember = ({ group, add }: AddProps) => (
  <Form class="inline" submit={commonText.add} act={(fields) => add(Number(textOf(fields, 'one')))}>
    <label>
      {groupText.addUser(group.name)}
      <select name="one" required>
        {[...slice('users').values()]
          .filter(({ user_id }) => !group.members.has(user_id))
          .sort((a, b) => a.full_name.localeCompare(b.full_name))
          .map(({ user_id, full_name }) => (
            <option key={user_id} value={user_id}>
              {full_name}
            </option>
          ))}
      </select>
    </label>
  </Form>
);

const AddSubgroup = ({ group, add }: AddProps) => (
  <Form class="inline" submit={commonText.add} act={(fields) => add(Number(textOf(fields, 'one')))}>
    <label>
      {groupText.addGroup(group.name)}
      <select name="one" required>
        {[...slice('groups').values()]
          .filter(
            ({ id, deactivated }) => !deactivated && id !== group.id && !group.direct_subgroup_ids.has(id),
          )
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </select>
    </label>
  </Form>
);
