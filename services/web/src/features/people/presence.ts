import { type Client, isTransient, mergePresences, reportPresence } from '@parley/client';
import { useEffect } from 'preact/hooks';

import { showError } from '../../base/toasts/toasts.tsx';
import { client } from '../../data/live/follow.ts';
import { peek } from '../../data/live/state.ts';
import { serverTime } from '../../data/people/presence.ts';
import { connection } from '../../data/session/session.ts';
import { Activity } from './activity.ts';

/** Reports whether somebody uses the page, and asks for the presence of others. */
class Reports {
  private readonly client: Client;
  private readonly activity = new Activity();
  /** The last change of presences that is known; -1 for none. */
  private since = -1;

  constructor(client: Client) {
    this.client = client;
  }

  /** Returns what ends it. */
  start(): () => void {
    const tryReport = () => {
      this.report().catch((error: unknown) => {
        if (!isTransient(error)) showError(error);
      });
    };
    const seconds = Number(peek().own['server_presence_ping_interval_seconds']) || 60;
    const timer = setInterval(tryReport, seconds * 1000);
    const unwatch = this.activity.watch(tryReport);
    // A state that was fetched anew knows of everyone's presence, and of no report.
    const unsubscribe = this.client.subscribe(({ isNew }) => {
      if (isNew) this.since = -1;
    });
    tryReport();
    return () => {
      clearInterval(timer);
      unwatch();
      unsubscribe();
    };
  }

  private async report(): Promise<void> {
    if (!this.client.state) return;
    const answer = await reportPresence(connection(), {
      isActive: this.activity.isActive(),
      hasInput: this.activity.consumeInput(),
      since: this.since,
    });
    this.since = answer.presence_last_update_id;
    serverTime.value = answer.server_timestamp;
    this.client.merge((state, changes) => mergePresences(state, answer.presences, changes));
  }
}

/** Reports presence while the chat is shown. */
export function useReportedPresence(): void {
  useEffect(() => {
    const following = client();
    return following ? new Reports(following).start() : undefined;
  }, []);
}
