import { type keyScopeText, keyText } from '../../strings/keys.ts';
import { viewText } from '../../strings/views.ts';

/** Where a key is valid. */
export type KeyScope = keyof typeof keyScopeText;

interface KeyEntry {
  /** As `KeyboardEvent.key` names it, with `Ctrl+` before it where that is pressed too. */
  keys: readonly string[];
  does: string;
  scope: KeyScope;
}

/** Every key of the client. A view handles a command with `useCommand`; the overlay of `?` shows this table. */
export const keyTable = {
  help: { keys: ['?'], does: keyText.help, scope: 'anywhere' },
  search: { keys: ['/', 'Ctrl+k'], does: keyText.search, scope: 'anywhere' },
  escape: { keys: ['Escape'], does: keyText.escape, scope: 'anywhere' },
  sidebar: { keys: ['q'], does: keyText.sidebar, scope: 'anywhere' },
  people: { keys: ['w'], does: keyText.people, scope: 'anywhere' },
  inbox: { keys: ['i', 'I'], does: viewText.inbox, scope: 'anywhere' },
  recent: { keys: ['t'], does: viewText.recent, scope: 'anywhere' },
  feed: { keys: ['a'], does: viewText.feed, scope: 'anywhere' },
  starred: { keys: ['*'], does: viewText.starred, scope: 'anywhere' },
  drafts: { keys: ['d'], does: viewText.drafts, scope: 'anywhere' },
  nextTopic: { keys: ['n'], does: keyText.nextTopic, scope: 'anywhere' },
  nextDirect: { keys: ['p'], does: keyText.nextDirect, scope: 'anywhere' },
  compose: { keys: ['c'], does: keyText.compose, scope: 'anywhere' },
  composeDirect: { keys: ['x'], does: keyText.composeDirect, scope: 'anywhere' },
  down: { keys: ['j', 'ArrowDown'], does: keyText.down, scope: 'inList' },
  up: { keys: ['k', 'ArrowUp'], does: keyText.up, scope: 'inList' },
  open: { keys: ['Enter'], does: keyText.open, scope: 'inList' },
  markRead: { keys: ['M'], does: keyText.markRead, scope: 'inList' },
  pageDown: { keys: ['J', 'PageDown'], does: keyText.pageDown, scope: 'inMessages' },
  pageUp: { keys: ['K', 'PageUp'], does: keyText.pageUp, scope: 'inMessages' },
  first: { keys: ['Home'], does: keyText.first, scope: 'inMessages' },
  last: { keys: ['End', 'G'], does: keyText.last, scope: 'inMessages' },
  narrowTopic: { keys: ['s'], does: keyText.narrowTopic, scope: 'atMessage' },
  reply: { keys: ['r'], does: keyText.reply, scope: 'atMessage' },
  quote: { keys: ['>'], does: keyText.quote, scope: 'atMessage' },
  edit: { keys: ['e'], does: keyText.edit, scope: 'atMessage' },
  react: { keys: ['+', ':'], does: keyText.react, scope: 'atMessage' },
  star: { keys: ['S', 'Ctrl+s'], does: keyText.star, scope: 'atMessage' },
  markUnread: { keys: ['U'], does: keyText.markUnread, scope: 'atMessage' },
  move: { keys: ['m'], does: keyText.move, scope: 'atMessage' },
  send: { keys: ['Ctrl+Enter'], does: keyText.send, scope: 'writing' },
} as const satisfies Record<string, KeyEntry>;

export type Command = keyof typeof keyTable;

/** The table's lines in its order, by where they are valid. */
export function keysByScope(): Map<KeyScope, (KeyEntry & { command: Command })[]> {
  const scopes = new Map<KeyScope, (KeyEntry & { command: Command })[]>();
  for (const [command, entry] of Object.entries(keyTable) as [Command, KeyEntry][]) {
    scopes.set(entry.scope, [...(scopes.get(entry.scope) ?? []), { command, ...entry }]);
  }
  return scopes;
}
