import { type keyScopeText, keyText } from '../../strings/keys.ts';
import { viewText } from '../../strings/views.ts';

/** Where a key is valid. */
export type KeyScope = keyof typeof keyScopeText;

export interface KeyEntry {
  /** As `KeyboardEvent.key` names it, with `Ctrl+` or `Alt+` before it where that is pressed too; `Space` for a space. */
  keys: readonly string[];
  does: string;
  scope: KeyScope;
}

/** Every key of the client. A view handles a command with `useCommand`; the overlay of `?` shows this table. */
export const keyTable = {
  help: { keys: ['?'], does: keyText.help, scope: 'anywhere' },
  search: { keys: ['/'], does: keyText.search, scope: 'anywhere' },
  jump: { keys: ['Ctrl+k'], does: keyText.jump, scope: 'anywhere' },
  escape: { keys: ['Escape', 'Ctrl+['], does: keyText.escape, scope: 'anywhere' },
  sidebar: { keys: ['q'], does: keyText.sidebar, scope: 'anywhere' },
  people: { keys: ['w'], does: keyText.people, scope: 'anywhere' },
  inbox: { keys: ['I'], does: viewText.inbox, scope: 'anywhere' },
  recent: { keys: ['t'], does: viewText.recent, scope: 'anywhere' },
  feed: { keys: ['a'], does: viewText.feed, scope: 'anywhere' },
  starred: { keys: ['*'], does: viewText.starred, scope: 'anywhere' },
  drafts: { keys: ['d'], does: viewText.drafts, scope: 'anywhere' },
  nextTopic: { keys: ['n'], does: keyText.nextTopic, scope: 'anywhere' },
  nextFollowed: { keys: ['N'], does: keyText.nextFollowed, scope: 'anywhere' },
  nextDirect: { keys: ['p'], does: keyText.nextDirect, scope: 'anywhere' },
  directs: { keys: ['P'], does: keyText.directs, scope: 'anywhere' },
  previousChannel: { keys: ['A'], does: keyText.previousChannel, scope: 'anywhere' },
  nextChannel: { keys: ['D'], does: keyText.nextChannel, scope: 'anywhere' },
  compose: { keys: ['c'], does: keyText.compose, scope: 'anywhere' },
  composeDirect: { keys: ['x'], does: keyText.composeDirect, scope: 'anywhere' },
  down: { keys: ['j', 'ArrowDown'], does: keyText.down, scope: 'inList' },
  up: { keys: ['k', 'ArrowUp'], does: keyText.up, scope: 'inList' },
  open: { keys: ['Enter'], does: keyText.open, scope: 'inList' },
  markRead: { keys: ['E'], does: keyText.markRead, scope: 'inList' },
  muteTopic: { keys: ['M'], does: keyText.muteTopic, scope: 'inList' },
  pageDown: { keys: ['J', 'PageDown', 'Space'], does: keyText.pageDown, scope: 'inMessages' },
  pageUp: { keys: ['K', 'PageUp', 'Shift+Space'], does: keyText.pageUp, scope: 'inMessages' },
  first: { keys: ['Home'], does: keyText.first, scope: 'inMessages' },
  last: { keys: ['End', 'G'], does: keyText.last, scope: 'inMessages' },
  print: { keys: ['Ctrl+p'], does: keyText.print, scope: 'inMessages' },
  editLast: { keys: ['ArrowLeft'], does: keyText.editLast, scope: 'inMessages' },
  narrowTopic: { keys: ['s'], does: keyText.narrowTopic, scope: 'atMessage' },
  inContext: { keys: ['z'], does: keyText.inContext, scope: 'atMessage' },
  reply: { keys: ['r', 'Enter'], does: keyText.reply, scope: 'atMessage' },
  replyDirectly: { keys: ['R'], does: keyText.replyDirectly, scope: 'atMessage' },
  mention: { keys: ['@'], does: keyText.mention, scope: 'atMessage' },
  quote: { keys: ['>'], does: keyText.quote, scope: 'atMessage' },
  forward: { keys: ['<'], does: keyText.forward, scope: 'atMessage' },
  edit: { keys: ['e'], does: keyText.edit, scope: 'atMessage' },
  react: { keys: [':'], does: keyText.react, scope: 'atMessage' },
  thumbsUp: { keys: ['+'], does: keyText.thumbsUp, scope: 'atMessage' },
  sameReaction: { keys: ['='], does: keyText.sameReaction, scope: 'atMessage' },
  star: { keys: ['Ctrl+s'], does: keyText.star, scope: 'atMessage' },
  markUnread: { keys: ['U'], does: keyText.markUnread, scope: 'atMessage' },
  move: { keys: ['m'], does: keyText.move, scope: 'atMessage' },
  collapse: { keys: ['-'], does: keyText.collapse, scope: 'atMessage' },
  sender: { keys: ['u'], does: keyText.sender, scope: 'atMessage' },
  picture: { keys: ['v'], does: keyText.picture, scope: 'atMessage' },
  readers: { keys: ['V'], does: keyText.readers, scope: 'atMessage' },
  history: { keys: ['H'], does: keyText.history, scope: 'atMessage' },
  copyLink: { keys: ['L'], does: keyText.copyLink, scope: 'atMessage' },
  messageMenu: { keys: ['i'], does: keyText.messageMenu, scope: 'atMessage' },
  newChannel: { keys: ['n'], does: keyText.newChannel, scope: 'inChannels' },
  viewChannel: { keys: ['V'], does: keyText.viewChannel, scope: 'inChannels' },
  membership: { keys: ['S'], does: keyText.membership, scope: 'inChannels' },
  previousChoice: { keys: ['ArrowLeft'], does: keyText.previousChoice, scope: 'inChannels' },
  nextChoice: { keys: ['ArrowRight'], does: keyText.nextChoice, scope: 'inChannels' },
  send: { keys: ['Ctrl+Enter'], does: keyText.send, scope: 'writing' },
  preview: { keys: ['Alt+p'], does: keyText.preview, scope: 'writing' },
  goToDraft: { keys: ['Ctrl+.'], does: keyText.goToDraft, scope: 'writing' },
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
