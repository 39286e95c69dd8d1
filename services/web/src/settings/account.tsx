import { ActButton } from '../forms/act-button.tsx';
import { Form, textOf } from '../forms/form.tsx';
import { SettingFields } from '../forms/setting-fields.tsx';
import { choice, toggle } from '../forms/setting-row.ts';
import { own, userSetting } from '../live/state.ts';
import { userOf } from '../people/names.ts';
import { connection } from '../session/session.ts';
import { Picture } from '../shell/picture.tsx';
import { tell } from '../shell/toasts.tsx';
import { ApiKey } from './api-key.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { saveSetting } from './save-setting.ts';

const privacy = [
  choice('email_address_visibility', 'Who sees your email address', [
    [1, 'Everyone'],
    [2, 'Members'],
    [5, 'Moderators'],
    [3, 'Administrators'],
    [4, 'Nobody'],
  ]),
  toggle('presence_enabled', 'Others see whether you are here'),
  toggle('send_private_typing_notifications', 'Others see that you type to them'),
  toggle('send_stream_typing_notifications', 'Others see that you type in channels'),
  toggle('send_read_receipts', 'Others see what you have read'),
  toggle('allow_private_data_export', 'Administrators may export what is private of yours'),
];

const patch = (fields: Record<string, unknown>) => connection().patch('/settings', fields);

/** Who one is, and how one signs in. */
export const Account = () => (
  <>
    <Avatar />
    <Form submit="Change the name" act={(fields) => patch({ full_name: textOf(fields, 'full_name') })}>
      <label>
        Name
        <input
          name="full_name"
          autocomplete="name"
          maxLength={100}
          defaultValue={own('full_name')}
          required
        />
      </label>
    </Form>
    <Place />
    <ProfileFields />
    <SettingFields title="Privacy" rows={privacy} read={userSetting} save={saveSetting} />
    <EmailForm />
    <PasswordForm />
    <ApiKey />
  </>
);

function Avatar() {
  const user = userOf(own('user_id'));
  return (
    <div class="avatar-field">
      {user?.avatar_url && <Picture src={user.avatar_url} alt="You" size={96} />}
      <Form
        submit="Upload"
        act={async (fields, form) => {
          const file = fields.get('picture');
          if (!(file instanceof File) || file.size === 0) throw new Error('Choose a picture first.');
          await connection().upload('/users/me/avatar', file);
          form.reset();
        }}
      >
        <label>
          A new picture
          <input name="picture" type="file" accept="image/*" />
        </label>
      </Form>
      {own('avatar_source') === 'U' && (
        <ActButton act={() => connection().delete('/users/me/avatar')}>Remove the picture</ActButton>
      )}
    </div>
  );
}

/** Where the person is, and the language in which the server writes to them. */
function Place() {
  const zone = userOf(own('user_id'))?.timezone ?? '';
  return (
    <Form
      submit="Save"
      act={(fields) =>
        patch({ timezone: textOf(fields, 'timezone'), default_language: textOf(fields, 'language') })
      }
    >
      <label>
        Time zone
        <select name="timezone">
          {['', ...new Set([zone, ...Intl.supportedValuesOf('timeZone')].filter(Boolean))].map((name) => (
            <option key={name} value={name} selected={name === zone}>
              {name || 'Not set'}
            </option>
          ))}
        </select>
      </label>
      <label>
        Language of mails and notices, by its code
        <input
          name="language"
          maxLength={50}
          defaultValue={String(userSetting('default_language'))}
          required
        />
      </label>
    </Form>
  );
}

const EmailForm = () => (
  <Form
    submit="Change the email address"
    act={async (fields, form) => {
      await patch({ email: textOf(fields, 'email') });
      form.reset();
      tell('A mail is on its way to the new address. It counts when you open the link in it.');
    }}
  >
    <p>
      Your email address is <strong>{String(own('delivery_email'))}</strong>.
    </p>
    <label>
      New email address
      <input name="email" type="email" autocomplete="email" maxLength={254} required />
    </label>
  </Form>
);

const PasswordForm = () => (
  <Form
    submit="Change the password"
    act={async (fields, form) => {
      await patch({ old_password: textOf(fields, 'old'), new_password: textOf(fields, 'new') });
      form.reset();
      tell('Your password is changed.');
    }}
  >
    <label>
      Old password
      <input name="old" type="password" autocomplete="current-password" required />
    </label>
    <label>
      New password
      <input
        name="new"
        type="password"
        autocomplete="new-password"
        minLength={Number(own('password_min_length')) || 1}
        required
      />
    </label>
  </Form>
);
