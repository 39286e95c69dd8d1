/** Where a key is valid. */
export type Where = 'anywhere' | 'in a list of messages' | 'at a message' | 'in a list' | 'while writing';

interface KeyEntry {
  /** As `KeyboardEvent.key` names it, with `Ctrl+` before it where that is held. */
  keys: readonly string[];
  does: string;
  where: Where;
}

/** Every key of the client. A view takes a command with `useCommand`; the overlay of `?` shows this table. */
export const keyTable = {
  help: { keys: ['?'], does: 'Show the keys', where: 'anywhere' },
  search: { keys: ['/'], does: 'Search', where: 'anywhere' },
  commands: { keys: ['Ctrl+k'], does: 'Go to a channel, topic or person', where: 'anywhere' },
  escape: { keys: ['Escape'], does: 'Close, or leave what you write', where: 'anywhere' },
  sidebar: { keys: ['q'], does: 'Search the channels', where: 'anywhere' },
  people: { keys: ['w'], does: 'Search the people', where: 'anywhere' },
  inbox: { keys: ['i', 'I'], does: 'Inbox', where: 'anywhere' },
  recent: { keys: ['t'], does: 'Recent conversations', where: 'anywhere' },
  feed: { keys: ['a'], does: 'Combined feed', where: 'anywhere' },
  starred: { keys: ['*'], does: 'Starred messages', where: 'anywhere' },
  drafts: { keys: ['d'], does: 'Drafts', where: 'anywhere' },
  nextTopic: { keys: ['n'], does: 'Next unread topic', where: 'anywhere' },
  nextDirect: { keys: ['p'], does: 'Next unread direct conversation', where: 'anywhere' },
  compose: { keys: ['c'], does: 'Write a message', where: 'anywhere' },
  composeDirect: { keys: ['x'], does: 'Write a direct message', where: 'anywhere' },
  down: { keys: ['j', 'ArrowDown'], does: 'Next', where: 'in a list' },
  up: { keys: ['k', 'ArrowUp'], does: 'Previous', where: 'in a list' },
  open: { keys: ['Enter'], does: 'Open', where: 'in a list' },
  markRead: { keys: ['M'], does: 'Mark as read', where: 'in a list' },
  pageDown: { keys: ['J', 'PageDown'], does: 'A page down', where: 'in a list of messages' },
  pageUp: { keys: ['K', 'PageUp'], does: 'A page up', where: 'in a list of messages' },
  first: { keys: ['Home'], does: 'First message', where: 'in a list of messages' },
  last: { keys: ['End', 'G'], does: 'Last message', where: 'in a list of messages' },
  narrowTopic: { keys: ['s'], does: 'Show its topic', where: 'at a message' },
  reply: { keys: ['r'], does: 'Reply', where: 'at a message' },
  quote: { keys: ['>'], does: 'Quote and reply', where: 'at a message' },
  edit: { keys: ['e'], does: 'Edit', where: 'at a message' },
  react: { keys: ['+', ':'], does: 'React', where: 'at a message' },
  star: { keys: ['S', 'Ctrl+s'], does: 'Star, or take the star away', where: 'at a message' },
  markUnread: { keys: ['U'], does: 'Mark as unread from here', where: 'at a message' },
  move: { keys: ['m'], does: 'Move', where: 'at a message' },
  send: { keys: ['Ctrl+Enter'], does: 'Send', where: 'while writing' },
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
