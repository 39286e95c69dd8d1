import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { ActButton } from '../../base/forms/act-button.tsx';
import { showError } from '../../base/toasts/toasts.tsx';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { ownSessionText } from '../../strings/settings.ts';
import { deviceName } from '../notifications/index.ts';

interface Session {
  id: string;
  user_agent: string;
  created_timestamp: number;
  is_current: boolean;
}

const path = '/users/me/sessions';

/** The browsers in which the person is logged in, each with a button that ends that. */
export function Sessions() {
  const sessions = useSignal<readonly Session[]>([]);
  const load = async () => {
    sessions.value = (await connection().get<{ sessions: Session[] }>(path)).sessions;
  };
  const end = async (ended: string) => {
    await connection().delete(ended);
    await load();
  };
  useEffect(() => void load().catch(showError), []);
  return (
    <fieldset class="settings-group">
      <legend>{ownSessionText.title}</legend>
      {sessions.value.map((session) => (
        <Row key={session.id} {...session} end={() => end(`${path}/${session.id}`)} />
      ))}
      {sessions.value.some(({ is_current }) => !is_current) && (
        <ActButton act={() => end(path)} confirm={ownSessionText.confirmOthers}>
          {ownSessionText.endOthers}
        </ActButton>
      )}
    </fieldset>
  );
}

function Row({
  user_agent,
  created_timestamp,
  is_current,
  end,
}: Session & { readonly end: () => Promise<unknown> }) {
  const name = deviceName(user_agent);
  return (
    <div class="setting-row">
      <div>
        {name}
        <p class="dim">{ownSessionText.since(momentOf(created_timestamp))}</p>
      </div>
      <div>
        {is_current ? (
          <span class="dim">{ownSessionText.here}</span>
        ) : (
          <ActButton act={end} label={ownSessionText.endOf(name)}>
            {ownSessionText.end}
          </ActButton>
        )}
      </div>
    </div>
  );
}
