import { useSignal } from '@preact/signals';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form } from '../../base/forms/form.tsx';
import { SettingGroups } from '../../base/forms/setting-fields.tsx';
import type { SettingRow } from '../../base/forms/setting-row.ts';
import { showToast } from '../../base/toasts/toasts.tsx';
import { own } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { newcomerText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';
import { privacyText } from '../../strings/settings.ts';
import { displayGroups, notificationGroups, privacyRows } from '../settings/index.ts';

const groups: Record<string, readonly SettingRow[]> = {
  ...displayGroups,
  [privacyText.title]: privacyRows,
  ...notificationGroups,
};

/** What new people are greeted with, and the settings that they start with. */
export function Newcomers() {
  const defaults = own('realm_user_settings_defaults');
  // What is a person's own affair has no default.
  const rowsOf = (rows: readonly SettingRow[]) => rows.filter(({ name }) => name in defaults);
  return (
    <>
      <Welcome />
      <h2>{newcomerText.settings}</h2>
      <p class="dim">{newcomerText.settingsHelp}</p>
      <SettingGroups
        groups={Object.fromEntries(Object.entries(groups).map(([title, rows]) => [title, rowsOf(rows)]))}
        read={(name) => defaults[name]}
        save={(name, value) => connection().patch('/realm/user_settings_defaults', { [name]: value })}
      />
    </>
  );
}

/** What the organization adds to the first message that new people get. */
function Welcome() {
  const text = useSignal(String(own('realm_welcome_message_custom_text')));
  const sent = () => ({ welcome_message_custom_text: text.peek() });
  return (
    <>
      <Form
        submit={commonText.save}
        label={newcomerText.welcome}
        act={async () => {
          await connection().patch('/realm', sent());
          showToast(newcomerText.saved);
        }}
      >
        <label>
          {newcomerText.welcome}
          <textarea
            dir="auto"
            maxLength={8000}
            rows={4}
            value={text.value}
            aria-describedby="welcome-help"
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <p id="welcome-help" class="dim">
          {newcomerText.welcomeHelp}
        </p>
      </Form>
      <ActButton
        isDisabled={text.value.trim() === ''}
        act={async () => {
          await connection().post('/realm/test_welcome_bot_custom_message', sent());
          showToast(newcomerText.tried);
        }}
      >
        {newcomerText.try}
      </ActButton>
    </>
  );
}
