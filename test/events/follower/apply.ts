import { type Event, joined } from '../../support/index.ts';
import { channels } from './channels.ts';
import { type Questions, messageReducers } from './messages.ts';
import { organization } from './organization.ts';
import { own } from './own.ts';
import type { State } from './state.ts';
import { unread } from './unread.ts';
import { users } from './users.ts';

/** Each event does one thing to what the client knows. What it does not know is a mistake of the server's. */
const reducers = joined(users, own, organization, channels, unread);

/** The type of an event, with its op. */
export const kindOf = ({ type, op }: Event): string => (op === undefined ? type : `${type} ${op}`);

const header = new Set(['type', 'op', 'id']);

/** An event that carries whole parts of the state replaces them. */
function replaceWhole({ own }: State, event: Event): boolean {
  const parts = Object.entries(event).filter(([name]) => !header.has(name));
  const isWhole = parts.length > 0 && parts.every(([name]) => name in own);
  if (isWhole) Object.assign(own, Object.fromEntries(parts));
  return isWhole;
}

export function apply(state: State, event: Event, questions: Questions): void {
  const [reduce, reduceMessages] = [reducers[kindOf(event)], messageReducers[kindOf(event)]];
  if (!reduce && !reduceMessages && replaceWhole(state, structuredClone(event))) return;
  if (!reduce && !reduceMessages) {
    throw new Error(`A client would not know what to do with ${JSON.stringify(event)}`);
  }
  reduce?.(state, structuredClone(event));
  reduceMessages?.(state.messages, structuredClone(event), questions);
}
