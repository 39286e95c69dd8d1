import { languageNames } from '@parley/strings';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { SettingFields } from '../../base/forms/setting-fields.tsx';
import { Picture } from '../../base/pictures/picture.tsx';
import { showToast } from '../../base/toasts/toasts.tsx';
import { own, userSetting } from '../../data/live/state.ts';
import { userOf } from '../../data/people/names.ts';
import { saveSetting } from '../../data/session/save-setting.ts';
import { connection } from '../../data/session/session.ts';
import { commonText } from '../../strings/common.ts';
import { accountText, privacyText } from '../../strings/settings.ts';
import { ApiKey } from './api-key.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { privacyRows } from './rows.ts';
import { Sessions } from './sessions.tsx';

const patch = (fields: Record<string, unknown>) => connection().patch('/settings', fields);

/** Shows the settings of the account and its credentials. */
export const Account = () => (
  <>
    <Avatar />
    <Form submit={accountText.changeName} act={(fields) => patch({ full_name: textOf(fields, 'full_name') })}>
      <label>
        {commonText.name}
        <input
          name="full_name"
          autocomplete="name"
          maxLength={100}
          defaultValue={own('full_name')}
          required
        />
      </label>
    </Form>
    <LocaleForm />
    <ProfileFields />
    <SettingFields title={privacyText.title} rows={privacyRows} read={userSetting} save={saveSetting} />
    <EmailForm />
    <PasswordForm />
    <Sessions />
    <ApiKey />
  </>
);

function Avatar() {
  const user = userOf(own('user_id'));
  return (
    <div class="avatar-field">
      {user?.avatar_url && <Picture src={user.avatar_url} alt={accountText.you} size={96} />}
      <Form
        submit={accountText.upload}
        act={async (fields, form) => {
          const file = fields.get('picture');
          if (!(file instanceof File) || file.size === 0) throw new Error(commonText.imageMissing);
          await connection().upload('/users/me/avatar', file);
          form.reset();
        }}
      >
        <label>
          {accountText.newPicture}
          <input name="picture" type="file" accept="image/*" />
        </label>
      </Form>
      {own('avatar_source') === 'U' && (
        <ActButton act={() => connection().delete('/users/me/avatar')}>{accountText.removePicture}</ActButton>
      )}
    </div>
  );
}

/** Lets somebody choose a time zone, and a language: the page is loaded anew in it. */
function LocaleForm() {
  const zone = userOf(own('user_id'))?.timezone ?? '';
  const chosen = String(userSetting('default_language'));
  return (
    <Form
      submit={commonText.save}
      act={(fields) =>
        patch({ timezone: textOf(fields, 'timezone'), default_language: textOf(fields, 'language') })
      }
    >
      <label>
        {accountText.timeZone}
        <select name="timezone">
          {['', ...new Set([zone, ...Intl.supportedValuesOf('timeZone')].filter(Boolean))].map((name) => (
            <option key={name} value={name} selected={name === zone}>
              {name || accountText.timeZoneUnset}
            </option>
          ))}
        </select>
      </label>
      <label>
        {accountText.language}
        <select name="language">
          {Object.entries({ [chosen]: chosen, ...languageNames }).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag} selected={tag === chosen}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </Form>
  );
}

const EmailForm = () => (
  <Form
    submit={accountText.changeEmail}
    act={async (fields, form) => {
      await patch({ email: textOf(fields, 'email') });
      form.reset();
      showToast(accountText.confirmEmail);
    }}
  >
    <p>
      {accountText.currentEmail} <strong>{String(own('delivery_email'))}</strong>
    </p>
    <label>
      {accountText.newEmail}
      <input name="email" type="email" autocomplete="email" maxLength={254} required />
    </label>
  </Form>
);

const PasswordForm = () => (
  <Form
    submit={accountText.changePassword}
    act={async (fields, form) => {
      await patch({ old_password: textOf(fields, 'old'), new_password: textOf(fields, 'new') });
      form.reset();
      showToast(accountText.passwordChanged);
    }}
  >
    <label>
      {accountText.currentPassword}
      <input name="old" type="password" autocomplete="current-password" required />
    </label>
    <label>
      {accountText.newPassword}
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
