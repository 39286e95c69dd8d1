import { useSignal } from '@preact/signals';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { connection } from '../../data/session/session.ts';
import { apiKeyText } from '../../strings/settings.ts';

/** The key by which programs act for the person. It is shown to whoever knows the password. */
export function ApiKey() {
  const key = useSignal<string | null>(null);
  const showKey = ({ api_key }: { api_key: string }) => void (key.value = api_key);
  if (key.value === null) {
    return (
      <Form
        submit={apiKeyText.show}
        act={async (fields) =>
          showKey(await connection().post('/fetch_api_key', { password: textOf(fields, 'password') }))
        }
      >
        <h2>{apiKeyText.title}</h2>
        <label>
          {apiKeyText.password}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
      </Form>
    );
  }
  return (
    <section>
      <h2>{apiKeyText.title}</h2>
      <p>
        <code>{key.value}</code>
      </p>
      <ActButton
        confirm={apiKeyText.confirm}
        act={async () => showKey(await connection().post('/users/me/api_key/regenerate'))}
      >
        {apiKeyText.regenerate}
      </ActButton>
    </section>
  );
}
