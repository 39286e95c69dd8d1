import { type Presence, isTransient, mergePresences, presenceOf, reportPresence } from '@parley/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { showError } from '../../base/toasts/toasts.tsx';
import { client } from '../../data/live/follow.ts';
import { own, slice, peek } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { isActive, consumeInput, watchActivity } from './activity.ts';

/** The server's time in seconds, as of the last report: presences grow old without events. */
const now = signal(Date.now() / 1000);
let since = -1;

/** The presence of a user. Whatever reads it runs again when it changes. */
export function presenceNow(userId: number): Presence {
  const threshold = Number(own('server_presence_offline_threshold_seconds'));
  return presenceOf(slice('presences').get(userId), now.value, threshold);
}

async function report(): Promise<void> {
  const following = client();
  if (!following?.state) return;
  const answer = await reportPresence(connection(), {
    isActive: isActive(),
    hasInput: consumeInput(),
    since,
  });
  since = answer.presence_last_update_id;
  now.value = answer.server_timestamp;
  following.merge((state, changes) => mergePresences(state, answer.presences, changes));
}

/** Reports, while the chat is shown, whether somebody uses it, and asks for the presence of others. */
export function useReportedPresence(): void {
  useEffect(() => {
    const following = client();
    if (!following) return undefined;
    const tryReport = () => {
      report().catch((error: unknown) => {
        if (!isTransient(error)) showError(error);
      });
    };
    const seconds = Number(peek().own['server_presence_ping_interval_seconds']) || 60;
    const timer = setInterval(tryReport, seconds * 1000);
    const unwatch = watchActivity(tryReport);
    // A state that was fetched anew knows of everyone's presence, and of no report.
    const unsubscribe = following.subscribe(({ isNew }) => {
      if (isNew) since = -1;
    });
    since = -1;
    tryReport();
    return () => {
      clearInterval(timer);
      unwatch();
      unsubscribe();
    };
  }, []);
}
