import type { Connection } from './connection/connect.ts';
import { createHistory } from './messages/history.ts';
import { type Lists, type ListsOptions, createLists } from './messages/lists.ts';
import type { State } from './state/state.ts';

/** Lists of messages for whoever has no queue: they are as old as what was loaded last. */
export interface SpectatorLists extends Lists {
  /** Loads anew what open lists show. */
  refresh(): void;
}

export function createSpectatorLists(
  connection: Connection,
  state: () => State,
  options: ListsOptions = {},
): SpectatorLists {
  const history = createHistory(connection);
  const lists = createLists({ connection, history, state, pending: () => [] }, options);
  return { open: (narrow) => lists.open(narrow), refresh: () => lists.restart() };
}
