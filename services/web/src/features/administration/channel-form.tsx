import type { ChannelWithSubscribers } from '@parley/client';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { showError } from '../../base/toasts/toasts.tsx';
import { own } from '../../data/live/state.ts';
import { isAdmin } from '../../data/people/rights.ts';
import { connection } from '../../data/session/session.ts';
import { administrationText, channelText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';
import { GroupSettingField, settingName } from './group-setting.tsx';
import { type Privacy, privacies, privacyOf } from './privacy.ts';

/** Returns the fields of a channel's form that differ from before, since each may need a permission of its own. */
function changeOf(channel: ChannelWithSubscribers, fields: FormData): Record<string, unknown> {
  const { name, description, folder_id } = channel;
  const [newName, newDescription] = [textOf(fields, 'name'), textOf(fields, 'description')];
  const privacy = textOf(fields, 'privacy') as Privacy;
  const { title: _, ...reading } = privacies[privacy];
  const folder = Number(textOf(fields, 'folder')) || null;
  return {
    ...(newName !== name && { new_name: newName }),
    ...(newDescription !== description && { description: newDescription }),
    ...(privacy !== privacyOf(channel) && reading),
    // Null is a value here, which is sent as such.
    ...(folder !== (folder_id ?? null) && { folder_id: folder }),
  };
}

const permissions = [
  'can_administer_channel_group',
  'can_send_message_group',
  'can_subscribe_group',
  'can_add_subscribers_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
] as const;

/** Lets somebody change the properties and permissions of a channel. */
export function ChannelForm({ channel }: { channel: ChannelWithSubscribers }) {
  const { stream_id: id, name, is_archived } = channel;
  const path = `/streams/${id}`;
  return (
    <>
      <Form
        submit={commonText.save}
        act={async (fields) => {
          const change = changeOf(channel, fields);
          if (Object.keys(change).length > 0) await connection().patch(path, change);
        }}
      >
        <label>
          {commonText.name}
          <input name="name" maxLength={60} defaultValue={name} required />
        </label>
        <label>
          {commonText.description}
          <input name="description" maxLength={1024} defaultValue={channel.description} />
        </label>
        <label>
          {channelText.privacy}
          <select name="privacy">
            {(Object.keys(privacies) as Privacy[]).map((one) => (
              <option key={one} value={one} selected={one === privacyOf(channel)}>
                {privacies[one].title}
              </option>
            ))}
          </select>
        </label>
        <label>
          {channelText.folder}
          <select name="folder">
            <option value="">{channelText.noFolder}</option>
            {own('channel_folders')
              .filter((folder) => folder['is_archived'] !== true || folder.id === channel.folder_id)
              .map((folder) => (
                <option key={folder.id} value={folder.id} selected={folder.id === channel.folder_id}>
                  {folder.name}
                </option>
              ))}
          </select>
        </label>
      </Form>
      {isAdmin() && <DefaultBox channel={channel} />}
      <fieldset class="settings-group">
        <legend>{administrationText.whoCan}</legend>
        {permissions.map((permission) => (
          <GroupSettingField
            key={permission}
            name={permission}
            label={settingName(permission)}
            value={channel[permission]}
            isDisabled={false}
            save={(change) => connection().patch(path, { [permission]: change })}
          />
        ))}
      </fieldset>
      {is_archived ? (
        <ActButton act={() => connection().patch(path, { is_archived: false })}>
          {channelText.unarchive}
        </ActButton>
      ) : (
        <ActButton confirm={channelText.confirmArchive(name)} act={() => connection().delete(path)}>
          {channelText.archive}
        </ActButton>
      )}
    </>
  );
}

/** Returns whether new people are in the channel. */
function DefaultBox({ channel: { stream_id, invite_only } }: { channel: ChannelWithSubscribers }) {
  const isDefault = (own('realm_default_streams') as number[]).includes(stream_id);
  return (
    <label class="setting-toggle">
      <input
        type="checkbox"
        checked={isDefault}
        disabled={invite_only}
        onChange={({ currentTarget }) => {
          const act = currentTarget.checked ? connection().post : connection().delete;
          act('/default_streams', { stream_id }).catch((error: unknown) => {
            currentTarget.checked = isDefault;
            showError(error);
          });
        }}
      />{' '}
      {channelText.isDefault}
    </label>
  );
}
