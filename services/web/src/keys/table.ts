import { keyPlaceText, keyText } from '../strings/keys.ts';
import { viewText } from '../strings/views.ts';

/** Where a key is valid. */
export type Where = keyof typeof keyPlaceText;

interface KeyEntry {
  /** As `KeyboardEvent.key` names it, with `Ctrl+` before it where that is held. */
  keys: readonly string[];
  does: string;
  where: Where;
}

/** Every key of the client. A view takes a command with `useCommand`; the overlay of `?` shows this table. */
export const keyTable = {
  help: { keys: ['?'], does: keyText.help, where: 'anywhere' },
  search: { keys: ['/'], does: keyText.search, where: 'anywhere' },
  commands: { keys: ['Ctrl+k'], does: keyText.commands, where: 'anywhere' },
  escape: { keys: ['Escape'], does: keyText.escape, where: 'anywhere' },
  sidebar: { keys: ['q'], does: keyText.sidebar, where: 'anywhere' },
  people: { keys: ['w'], does: keyText.people, where: 'anywhere' },
  inbox: { keys: ['i', 'I'], does: viewText.inbox, where: 'anywhere' },
  recent: { keys: ['t'], does: viewText.recent, where: 'anywhere' },
  feed: { keys: ['a'], does: viewText.feed, where: 'anywhere' },
  starred: { keys: ['*'], does: viewText.starred, where: 'anywhere' },
  drafts: { keys: ['d'], does: viewText.drafts, where: 'anywhere' },
  nextTopic: { keys: ['n'], does: keyText.nextTopic, where: 'anywhere' },
  nextDirect: { keys: ['p'], does: keyText.nextDirect, where: 'anywhere' },
  compose: { keys: ['c'], does: keyText.compose, where: 'anywhere' },
  composeDirect: { keys: ['x'], does: keyText.composeDirect, where: 'anywhere' },
  down: { keys: ['j', 'ArrowDown'], does: keyText.down, where: 'inList' },
  up: { keys: ['k', 'ArrowUp'], does: keyText.up, where: 'inList' },
  open: { keys: ['Enter'], does: keyText.open, where: 'inList' },
  markRead: { keys: ['M'], does: keyText.markRead, where: 'inList' },
  pageDown: { keys: ['J', 'PageDown'], does: keyText.pageDown, where: 'inMessages' },
  pageUp: { keys: ['K', 'PageUp'], does: keyText.pageUp, where: 'inMessages' },
  first: { keys: ['Home'], does: keyText.first, where: 'inMessages' },
  last: { keys: ['End', 'G'], does: keyText.last, where: 'inMessages' },
  narrowTopic: { keys: ['s'], does: keyText.narrowTopic, where: 'atMessage' },
  reply: { keys: ['r'], does: keyText.reply, where: 'atMessage' },
  quote: { keys: ['>'], does: keyText.quote, where: 'atMessage' },
  edit: { keys: ['e'], does: keyText.edit, where: 'atMessage' },
  react: { keys: ['+', ':'], does: keyText.react, where: 'atMessage' },
  star: { keys: ['S', 'Ctrl+s'], does: keyText.star, where: 'atMessage' },
  markUnread: { keys: ['U'], does: keyText.markUnread, where: 'atMessage' },
  move: { keys: ['m'], does: keyText.move, where: 'atMessage' },
  send: { keys: ['Ctrl+Enter'], does: keyText.send, where: 'writing' },
} as const satisfies Record<string, KeyEntry>;

export type Command = keyof typeof keyTable;

/** The table's lines in its order, by where they are valid. */
export function keysByPlace(): Map<Where, (KeyEntry & { command: Command })[]> {
  const places = new Map<Where, (KeyEntry & { command: Command })[]>();
  for (const [command, entry] of Object.entries(keyTable) as [Command, KeyEntry][]) {
    places.set(entry.where, [...(places.get(entry.where) ?? []), { command, ...entry }]);
  }
  return places;
}
