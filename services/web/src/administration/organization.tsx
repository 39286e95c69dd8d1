import { ActButton } from '../forms/act-button.tsx';
import { Form, textOf } from '../forms/form.tsx';
import { SettingFields } from '../forms/setting-fields.tsx';
import { type SettingRow, type SettingValue, choice, number, toggle } from '../forms/setting-row.ts';
import { own, part } from '../live/state.ts';
import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

/** Seconds, with null for no limit. */
const limits = [
  [60, 'A minute'],
  [600, 'Ten minutes'],
  [3600, 'An hour'],
  [86_400, 'A day'],
  [604_800, 'A week'],
  [null, 'No limit'],
] as const;

const joining = [
  toggle('invite_required', 'People join by invitation only'),
  toggle('emails_restricted_to_domains', 'Only addresses of certain domains'),
  toggle('disallow_disposable_email_addresses', 'No disposable addresses'),
  number('waiting_period_threshold', 'Days after which members are not new any more', 0, 3650),
  toggle('enable_spectator_access', 'Channels that are open to the web may be read without an account'),
  toggle('send_welcome_emails', 'New people are mailed a welcome'),
];

const messages = [
  toggle('allow_message_editing', 'Messages may be edited'),
  choice('message_content_edit_limit_seconds', 'Messages may be edited for', limits),
  choice('message_content_delete_limit_seconds', 'Messages may be deleted for', limits),
  choice('move_messages_within_stream_limit_seconds', 'Messages may be moved to other topics for', limits),
  choice(
    'move_messages_between_streams_limit_seconds',
    'Messages may be moved to other channels for',
    limits,
  ),
  choice('message_edit_history_visibility_policy', 'Who sees the history of messages', [
    ['all', 'Everyone'],
    ['moves', 'Everyone, of moves only'],
    ['none', 'Nobody'],
  ]),
  choice('message_retention_days', 'Messages are kept', [
    [30, 'Thirty days'],
    [365, 'A year'],
    [1825, 'Five years'],
    [-1, 'For ever'],
  ]),
  choice('topics_policy', 'Topics without a name', [
    ['allow_empty_topic', 'Are allowed'],
    ['disable_empty_topic', 'Are refused'],
  ]),
  toggle('enable_read_receipts', 'Who has read a message can be seen'),
  toggle('inline_image_preview', 'Pictures are shown below their links'),
  toggle('inline_url_embed_preview', 'Pages are shown below their links'),
];

const people = [
  toggle('name_changes_disabled', 'People may not change their names'),
  toggle('email_changes_disabled', 'People may not change their email addresses'),
  toggle('avatar_changes_disabled', 'People may not change their pictures'),
  toggle('require_unique_names', 'Names are unique'),
  toggle('presence_disabled', 'Nobody sees who is here'),
  toggle('enable_guest_user_indicator', 'Guests are shown as guests'),
  toggle('message_content_allowed_in_email_notifications', 'Mails may contain messages'),
];

const groups: Record<string, readonly SettingRow[]> = {
  Joining: joining,
  Messages: messages,
  People: people,
};

/** A limit that is none is written as a word. */
const valueSent = (name: string, value: SettingValue) =>
  value === null || (name === 'message_retention_days' && value === -1) ? '"unlimited"' : value;

const save = async (name: string, value: SettingValue): Promise<void> => {
  await connection().patch('/realm', { [name]: valueSent(name, value) });
};

/** What holds for the whole organization: its name, its pictures, and how people come in. */
export const Organization = () => (
  <>
    <Form
      submit="Save"
      label="Name and description"
      act={(fields) =>
        connection().patch('/realm', {
          name: textOf(fields, 'name'),
          description: textOf(fields, 'description'),
        })
      }
    >
      <label>
        Name
        <input name="name" maxLength={40} defaultValue={own('realm_name')} required />
      </label>
      <label>
        Description
        <textarea
          name="description"
          maxLength={1000}
          rows={3}
          defaultValue={String(own('realm_description'))}
        />
      </label>
    </Form>
    <Picture title="Icon" path="/realm/icon" url={own('realm_icon_url')} />
    <Picture title="Logo" path="/realm/logo?night=false" url={own('realm_logo_url')} />
    <Picture title="Logo on dark" path="/realm/logo?night=true" url={own('realm_night_logo_url')} />
    <SignInMethods />
    {Object.entries(groups).map(([title, rows]) => (
      <SettingFields
        key={title}
        title={title}
        rows={rows}
        read={(name) => own(`realm_${name}`)}
        save={save}
      />
    ))}
    <SettingFields
      title="Announcements"
      rows={announcements()}
      read={(name) => own(`realm_${name}`)}
      save={save}
    />
  </>
);

function announcements(): SettingRow[] {
  const channels = [...part('channels').values()]
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id, name }) => [stream_id, `#${name}`] as const);
  const choices = [[-1, 'Nowhere'] as const, ...channels];
  return [
    choice('new_stream_announcements_stream_id', 'New channels', choices),
    choice('signup_announcements_stream_id', 'New people', choices),
  ];
}

function Picture({ title, path, url }: { title: string; path: string; url: unknown }) {
  return (
    <div class="avatar-field">
      {typeof url === 'string' && <img src={url} alt="" height="48" />}
      <Form
        class="inline"
        submit={`Upload the ${title.toLowerCase()}`}
        act={async (fields, form) => {
          const file = fields.get('picture');
          if (!(file instanceof File) || file.size === 0) throw new Error('Choose a picture first.');
          await connection().upload(path, file);
          form.reset();
        }}
      >
        <label>
          {title}
          <input name="picture" type="file" accept="image/*" />
        </label>
      </Form>
      <ActButton act={() => connection().delete(path)} label={`Remove the ${title.toLowerCase()}`}>
        Remove
      </ActButton>
    </div>
  );
}

/** The ways in which people may sign in; at least one stays. */
function SignInMethods() {
  const methods = own('realm_authentication_methods') as Record<
    string,
    { enabled: boolean; available: boolean }
  >;
  const enabled = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, method.enabled]));
  return (
    <fieldset class="settings-group">
      <legend>Ways to sign in</legend>
      {Object.keys(methods).map((name) => (
        <label key={name} class="setting-toggle">
          <input
            type="checkbox"
            checked={enabled[name] === true}
            disabled={!own('is_owner') || methods[name]?.available === false}
            onChange={({ currentTarget }) => {
              const change = { ...enabled, [name]: currentTarget.checked };
              connection()
                .patch('/realm', { authentication_methods: change })
                .catch((error: unknown) => {
                  currentTarget.checked = enabled[name] === true;
                  tellError(error);
                });
            }}
          />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  );
}
