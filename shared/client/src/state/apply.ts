import type { Changes } from './changes.ts';
import { channels } from './channels.ts';
import { ephemeral } from './ephemeral.ts';
import { type AnyEvent, kindOf } from './event.ts';
import { groups } from './groups.ts';
import { messageReducers } from './messages.ts';
import { organization } from './organization.ts';
import { own } from './own.ts';
import { setOwn } from './reducers.ts';
import type { State } from './state.ts';
import { unread } from './unread.ts';
import { users } from './users.ts';

type Reduce = (state: State, event: AnyEvent, changes: Changes) => void;

/** Each event does one thing to what the client knows. */
// Safe: a reducer gets the events of its own kind.
const reducers = {
  ...users,
  ...groups,
  ...channels,
  ...organization,
  ...own,
  ...unread,
  ...ephemeral,
} as unknown as Record<string, Reduce | undefined>;
const ofMessages = messageReducers as unknown as Record<
  string,
  ((messages: State['messages'], event: AnyEvent, changes: Changes) => void) | undefined
>;

const header = new Set(['type', 'op', 'id']);

/** An event that carries whole slices of the state replaces them. */
function replaceWhole(state: State, event: AnyEvent, changes: Changes): boolean {
  const fields = Object.entries(event).filter(([name]) => !header.has(name));
  const isWhole = fields.length > 0 && fields.every(([name]) => name in state.own);
  if (isWhole) setOwn(state, changes, Object.fromEntries(fields));
  return isWhole;
}

/**
 * Applies an event to the state, and records in `changes` what changed. The cost is proportional to the size of the event.
 * @returns false for a kind of event that the client does not know
 * @throws an error for an event that does not fit the state, which then has to be fetched anew
 */
export function apply(state: State, event: AnyEvent, changes: Changes): boolean {
  const kind = kindOf(event);
  const [reduce, reduceMessages] = [reducers[kind], ofMessages[kind]];
  if (!reduce && !reduceMessages) return replaceWhole(state, event, changes);
  reduce?.(state, event, changes);
  reduceMessages?.(state.messages, event, changes);
  return true;
}

/** Applies an event to some messages. */
export function applyToMessages(messages: State['messages'], event: AnyEvent, changes: Changes): void {
  ofMessages[kindOf(event)]?.(messages, event, changes);
}
