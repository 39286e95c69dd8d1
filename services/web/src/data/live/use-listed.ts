import type { Changed, Client, State } from '@parley/client';
import { useEffect } from 'preact/hooks';

import { showError } from '../../base/toasts/toasts.tsx';
import { client } from './follow.ts';
import { slice } from './state.ts';

type Listed = 'invites' | 'exports' | 'consents' | 'uploads';

/**
 * Loads a list that a registration does not contain when it is shown, and again when an event says that it changed. It is
 * null until it has been loaded.
 */
export function useListed<Name extends Listed>(name: Name, fetch: () => Promise<State[Name]>): State[Name] {
  useEffect(() => {
    const following = client();
    if (!following) return undefined;
    const loading = new Loading(following, name, fetch);
    void loading.load();
    return following.subscribe((changed) => loading.receive(changed));
  }, []);
  return slice(name);
}

class Loading<Name extends Listed> {
  private readonly client: Client;
  private readonly name: Name;
  private readonly fetch: () => Promise<State[Name]>;
  private isBusy = false;
  /** Whether an event came while the list was on its way. */
  private isStale = false;
  private isMerging = false;

  constructor(following: Client, name: Name, fetch: () => Promise<State[Name]>) {
    this.client = following;
    this.name = name;
    this.fetch = fetch;
  }

  async load(): Promise<void> {
    this.isBusy = true;
    try {
      do {
        this.isStale = false;
        // One after another: an answer from before an event is old.
        // oxlint-disable-next-line no-await-in-loop
        const answered = await this.fetch();
        if (!this.isStale) this.merge(answered);
      } while (this.isStale);
    } catch (error) {
      showError(error);
    } finally {
      this.isBusy = false;
    }
  }

  receive({ state, changes, isNew }: Changed): void {
    if (this.isMerging || !(isNew || changes.slices.has(this.name))) return;
    if (this.isBusy) this.isStale = true;
    else if (state[this.name] === null) void this.load();
  }

  private merge(answered: State[Name]): void {
    this.isMerging = true;
    this.client.merge((state, { slices }) => {
      state[this.name] = answered;
      slices.add(this.name);
    });
    this.isMerging = false;
  }
}
