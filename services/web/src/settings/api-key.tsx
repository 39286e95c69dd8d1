import { useSignal } from '@preact/signals';

import { ActButton } from '../forms/act-button.tsx';
import { Form, textOf } from '../forms/form.tsx';
import { connection } from '../session/session.ts';

/** The key by which programs act for the person. It is shown to whoever knows the password. */
export function ApiKey() {
  const key = useSignal<string | null>(null);
  const take = ({ api_key }: { api_key: string }) => void (key.value = api_key);
  if (key.value === null) {
    return (
      <Form
        submit="Show the API key"
        act={async (fields) =>
          take(await connection().post('/fetch_api_key', { password: textOf(fields, 'password') }))
        }
      >
        <h2>API key</h2>
        <label>
          Password, to see the key
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
      </Form>
    );
  }
  return (
    <section>
      <h2>API key</h2>
      <p>
        <code>{key.value}</code>
      </p>
      <ActButton
        confirm="Make a new key? Programs that have the old one will not get in any more."
        act={async () => take(await connection().post('/users/me/api_key/regenerate'))}
      >
        Make a new key
      </ActButton>
    </section>
  );
}
