import { useSignal } from '@preact/signals';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { nameText } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';
import { peopleText } from '../../strings/people.ts';

/** The groups that people have made, with who is in them. */
export function Groups({ query }: { query: string }) {
  const shown = useSignal<number | null>(null);
  const groups = [...slice('groups').values()]
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
    .sort((a, b) => a.name.localeCompare(b.name));
  if (groups.length === 0) return null;
  return (
    <>
      <h2>{peopleText.groups}</h2>
      <ul>
        {groups.map(({ id, name, members }) => (
          <li key={id}>
            <button type="button" class="person icon-button" onClick={() => (shown.value = id)}>
              <span class="sidebar-name" dir="auto">
                {name}
              </span>
              <span class="dim">{members.size}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown.value !== null && <GroupDialog id={shown.value} onClose={() => (shown.value = null)} />}
    </>
  );
}

function GroupDialog({ id, onClose }: { id: number; readonly onClose: () => void }) {
  const groups = slice('groups');
  const group = groups.get(id);
  if (!group) return null;
  const { name, description, members, direct_subgroup_ids: subgroups } = group;
  return (
    <Dialog title={name} onClose={onClose}>
      {description && <p>{description}</p>}
      {subgroups.size > 0 && (
        <p>
          {peopleText.includes(
            listNames([...subgroups].map((one) => groups.get(one)?.name ?? nameText.group(one))),
          )}
        </p>
      )}
      <ul class="profile-list">
        {[...members].map((userId) => (
          <li key={userId}>
            <button
              type="button"
              class="icon-button"
              onClick={({ currentTarget }) => showProfile(userId, currentTarget)}
            >
              {nameOfUser(userId)}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
