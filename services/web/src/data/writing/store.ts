import { signal } from '@preact/signals';

import { type Draft, isBlank, unsaved } from './draft.ts';

/** The drafts of the account that writes, by their ids in this browser. */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'target' in value && 'content' in value;

/** What the keys of the account's drafts begin with. */
const prefix = signal('');
const keyOf = (id: string) => `${prefix.peek()}${id}`;

export const newDraftId = (): string => crypto.getRandomValues(new Uint32Array(2)).join('');

/** Called with a draft that another tab of this browser has changed. */
type OnOther = (id: string, draft: Draft | null) => void;

/** Opens the drafts of an account. Returns what ends it. */
export function openDrafts(account: string, onOther: OnOther): () => void {
  const begin = `parley-draft ${account} `;
  prefix.value = begin;
  const found = Object.keys(localStorage)
    .filter((key) => key.startsWith(begin))
    .map((key) => read(localStorage.getItem(key)))
    .filter((draft) => draft !== null);
  drafts.value = new Map(found.map((draft) => [draft.id, draft]));
  const listen = ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(begin)) return;
    onOther(key.slice(begin.length), read(newValue));
  };
  globalThis.addEventListener('storage', listen);
  return () => globalThis.removeEventListener('storage', listen);
}

function read(text: string | null): Draft | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isDraft(value) ? { ...unsaved, ...value } : null;
  } catch {
    return null;
  }
}

/** Records what another tab has written already. */
export function recordDraft(id: string, draft: Draft | null): void {
  const changed = new Map(drafts.peek());
  if (draft) changed.set(id, draft);
  else changed.delete(id);
  drafts.value = changed;
}

/** Keeps a draft; one without text is not kept, unless the server has it or is about to have it. */
export function putDraft(draft: Draft): void {
  if (isBlank(draft) && draft.serverId === null && !draft.asked) {
    removeDraft(draft.id);
    return;
  }
  recordDraft(draft.id, draft);
  write(draft);
}

function write(draft: Draft): void {
  try {
    localStorage.setItem(keyOf(draft.id), JSON.stringify(draft));
  } catch {
    // The store is full: the draft is kept in this page, and at the server.
  }
}

export function removeDraft(id: string): void {
  if (drafts.peek().has(id)) recordDraft(id, null);
  localStorage.removeItem(keyOf(id));
}

/** Replaces all drafts, unless they are the same. */
export function replaceDrafts(all: readonly Draft[]): void {
  const before = drafts.peek();
  const next = new Map(all.map((draft) => [draft.id, draft]));
  if (next.size === before.size && all.every((draft) => before.get(draft.id) === draft)) return;
  for (const id of before.keys()) if (!next.has(id)) localStorage.removeItem(keyOf(id));
  for (const draft of all) if (before.get(draft.id) !== draft) write(draft);
  drafts.value = next;
}
