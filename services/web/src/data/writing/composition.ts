import { signal } from '@preact/signals';

import { peek } from '../live/state.ts';
import { type Draft, isBlank, unsaved } from './draft.ts';
import { drafts, newDraftId, putDraft } from './store.ts';
import { type Target, keyOf } from './target.ts';

/** What is in the compose box: a draft from its first letter on. Null while the box is closed. */
export const composition = signal<Draft | null>(null);

/** Rises when the box is to take the focus, and says which of its fields. */
export const focusAsked = signal<{ field: 'recipient' | 'text'; times: number }>({ field: 'text', times: 0 });

export const askFocus = (field: 'recipient' | 'text' = 'text'): void =>
  void (focusAsked.value = { field, times: focusAsked.peek().times + 1 });

const nowSeconds = () => Math.floor(Date.now() / 1000);

const blank = (target: Target): Draft => ({
  id: newDraftId(),
  target,
  content: '',
  timestamp: nowSeconds(),
  ...unsaved,
});

/** Drafts that are on their way as messages, by the ids of these. */
export const sending = signal<ReadonlyMap<string, Draft>>(new Map());

/** A draft is not on its way as a message any more. */
export function endSending(localId: string): void {
  const left = new Map(sending.peek());
  left.delete(localId);
  sending.value = left;
}

/** The newest draft to a target that nothing else is done with. */
function draftFor(target: Target): Draft | null {
  const key = keyOf(target, peek().own.user_id);
  const underway = new Set([...sending.peek().values()].map(({ id }) => id));
  const found = [...drafts.peek().values()]
    .filter((draft) => !underway.has(draft.id) && !isBlank(draft))
    .filter((draft) => keyOf(draft.target, peek().own.user_id) === key)
    .sort((a, b) => b.timestamp - a.timestamp);
  return found[0] ?? null;
}

/** Opens the box to write to somebody, with what was begun there before. */
export function openComposition(target: Target): void {
  const now = composition.peek();
  const ownId = peek().own.user_id;
  if (now && keyOf(now.target, ownId) === keyOf(target, ownId)) return;
  composition.value = draftFor(target) ?? blank(target);
}

/** Opens the box with an empty text, whatever was begun before. */
export const openBlank = (target: Target): void => void (composition.value = blank(target));

/** Opens the box with a draft. */
export const openDraft = (draft: Draft): void => void (composition.value = draft);

export const closeComposition = (): void => void (composition.value = null);

function change(fields: Partial<Draft>): void {
  const now = composition.peek();
  if (!now) return;
  // What the server knows of it is recorded in the store.
  const { serverId, base, asked } = drafts.peek().get(now.id) ?? now;
  const changed = { ...now, serverId, base, asked, ...fields, timestamp: nowSeconds() };
  composition.value = changed;
  putDraft(changed);
}

export const setContent = (content: string): void => {
  if (composition.peek()?.content !== content) change({ content });
};

export const setTarget = (target: Target): void => change({ target });

/** What is being written to one place goes to another, because the conversation is there now. */
export function retarget(from: Target, to: Target): void {
  const now = composition.peek();
  const ownId = peek().own.user_id;
  if (!now || keyOf(now.target, ownId) !== keyOf(from, ownId)) return;
  if (isBlank(now)) composition.value = { ...now, target: to };
  else setTarget(to);
}

/** Adds a text after what is there, such as a quotation. */
export function appendContent(text: string): void {
  const now = composition.peek();
  if (!now) return;
  const before = now.content.trimEnd();
  setContent(before === '' ? text : `${before}\n\n${text}`);
}

/** The draft was changed by somebody else: another tab, another browser. */
export function adoptDraft(draft: Draft): void {
  const now = composition.peek();
  if (now?.id !== draft.id || now.content.trim() === draft.content.trim()) return;
  composition.value = draft;
}
