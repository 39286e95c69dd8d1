import { Form, numbersOf, textOf } from '../../base/forms/form.tsx';
import { own, slice } from '../../data/live/state.ts';
import { may } from '../../data/people/rights.ts';
import { connection } from '../../data/session/session.ts';
import { channelText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';
import { type Privacy, privacies } from './privacy.ts';

const permissionOf: Record<Privacy, string> = {
  public: 'can_create_public_channel_group',
  web: 'can_create_web_public_channel_group',
  shared: 'can_create_private_channel_group',
  protected: 'can_create_private_channel_group',
};

/** A new channel, of a kind that the person may create. */
export function NewChannel({ onCreated }: { onCreated?: (id: number) => void }) {
  const offered = (Object.keys(privacies) as Privacy[]).filter((name) => may(permissionOf[name]));
  if (offered.length === 0) return null;
  return (
    <Form
      submit={commonText.create}
      label={channelText.title}
      act={async (fields, form) => {
        const id = await create(fields, form);
        onCreated?.(id);
      }}
    >
      <h2>{channelText.title}</h2>
      <label>
        {commonText.name}
        <input name="name" maxLength={Number(own('max_stream_name_length'))} required />
      </label>
      <label>
        {commonText.description}
        <input name="description" maxLength={1024} />
      </label>
      <label>
        {channelText.privacy}
        <select name="privacy">
          {offered.map((name) => (
            <option key={name} value={name}>
              {privacies[name].title}
            </option>
          ))}
        </select>
      </label>
      <label>
        {channelText.subscribers}
        <select name="people" multiple size={4}>
          {[...slice('users').values()]
            .filter(({ user_id }) => user_id !== own('user_id'))
            .sort((a, b) => a.full_name.localeCompare(b.full_name))
            .map(({ user_id, full_name }) => (
              <option key={user_id} value={user_id}>
                {full_name}
              </option>
            ))}
        </select>
      </label>
      <label class="setting-toggle">
        <input type="checkbox" name="announce" /> {channelText.announce}
      </label>
    </Form>
  );
}

async function create(fields: FormData, form: HTMLFormElement): Promise<number> {
  const {
    is_private: invite_only,
    is_web_public,
    history_public_to_subscribers,
  } = privacies[textOf(fields, 'privacy') as Privacy];
  const { id } = await connection().post<{ id: number }>('/channels/create', {
    name: textOf(fields, 'name'),
    description: textOf(fields, 'description'),
    subscribers: [own('user_id'), ...numbersOf(fields, 'people')],
    announce: fields.has('announce'),
    invite_only,
    is_web_public,
    history_public_to_subscribers,
  });
  form.reset();
  return id;
}
