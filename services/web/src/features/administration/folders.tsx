import { X } from 'lucide-preact';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { own } from '../../data/live/state.ts';
import { isAdmin } from '../../data/people/rights.ts';
import { connection } from '../../data/session/session.ts';
import { folderText } from '../../strings/administration.ts';

/** The folders in which channels are shown. */
export function Folders() {
  if (!isAdmin()) return null;
  const folders = own('channel_folders').filter((folder) => folder['is_archived'] !== true);
  return (
    <>
      <h2>{folderText.title}</h2>
      <ul class="plain-list">
        {folders.map(({ id, name }) => (
          <li key={id}>
            {name}{' '}
            <ActButton
              class="icon-button"
              label={folderText.archive(name)}
              confirm={folderText.confirmArchive(name)}
              act={() => connection().patch(`/channel_folders/${id}`, { is_archived: true })}
            >
              <X />
            </ActButton>
          </li>
        ))}
      </ul>
      <Form
        class="inline"
        submit={folderText.create}
        act={async (fields, form) => {
          await connection().post('/channel_folders/create', { name: textOf(fields, 'name') });
          form.reset();
        }}
      >
        <label>
          {folderText.name}
          <input name="name" maxLength={60} required />
        </label>
      </Form>
    </>
  );
}
