import {
  type Connection,
  RequestFailed,
  createDraft,
  deleteDraft,
  isTransient,
  updateDraft,
} from '@parley/client';
import { effect, untracked } from '@preact/signals';

import { status } from '../live/follow.ts';
import { slice, peek, userSetting } from '../live/state.ts';
import { composition, adoptDraft, openBlank, sending } from './composition.ts';
import { type Draft, fingerprint, fromServer, isBlank, isChanged, toServer } from './draft.ts';
import { reconcile } from './reconcile.ts';
import {
  drafts,
  newDraftId,
  recordDraft,
  openDrafts,
  putDraft,
  removeDraft,
  replaceDrafts,
} from './store.ts';

/** How long a writer pauses before drafts are sent to the server. */
const quietMs = 1500;

/** What the server has refused, which is not sent again as it is. */
const refused = new Map<string, string>();
/** What was saved at the server and no event has confirmed yet, by the ids there; and what it was asked to delete. */
const expected = new Map<number, string>();
const deleted = new Set<number>();
/** An event that has not come by then was overtaken by another one. */
const expectedMs = 10_000;
/** What other tabs have written: they save it at the server. One that was closed has not, and this tab does it then. */
const othersTexts = new Map<string, string>();
const othersMs = 30_000;

/** Drafts on their way to the server. Meanwhile events about them say nothing new. */
let underway: Promise<void> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps the drafts of an account here and at the server. Returns what ends it. */
export function startDrafts(connection: Connection): () => void {
  const { user_id, realm_url } = peek().own;
  const close = openDrafts(`${realm_url} ${user_id}`, applyOtherTab);
  const stopPulling = effect(() => {
    slice('drafts');
    userSetting('enable_drafts_synchronization');
    untracked(pull);
  });
  const stopPushing = effect(() => {
    void [drafts.value, status.value, sending.value];
    clearTimeout(timer);
    timer = setTimeout(() => void push(connection), quietMs);
  });
  return () => {
    close();
    stopPulling();
    stopPushing();
    clearTimeout(timer);
  };
}

const isSynchronized = () => peek().own.user_settings['enable_drafts_synchronization'] === true;

/** Applies a draft of another tab. Two tabs that write the same draft have two copies from then on. */
function applyOtherTab(id: string, draft: Draft | null): void {
  const now = composition.peek();
  if (draft) {
    leaveToOthers(draft);
    // The other tab may know of it before the event has come here.
    if (draft.serverId !== null && !isChanged(draft)) expect(draft.serverId, fingerprint(draft));
  }
  if (now?.id !== id || (draft && draft.content.startsWith(now.content))) {
    recordDraft(id, draft);
    if (draft) adoptDraft(draft);
    pull();
    return;
  }
  if (!draft && !hasKeyboard()) {
    // It was sent or deleted there, and nobody goes on with it here.
    recordDraft(id, null);
    openBlank(now.target);
    return;
  }
  if (draft && now.content.startsWith(draft.content)) {
    // It is what this tab had written a moment ago, and says what the server has of it.
    const { serverId, base } = draft;
    putDraft({ ...now, serverId, base });
    return;
  }
  const own = { ...now, id: newDraftId(), serverId: null, base: null };
  composition.value = own;
  recordDraft(id, draft);
  putDraft(own);
}

function leaveToOthers(draft: Draft): void {
  const { id } = draft;
  const text = fingerprint(draft);
  const known = drafts.peek().get(id);
  // Only what the server has of it is news.
  if (known && fingerprint(known) === text) return;
  othersTexts.set(id, text);
  setTimeout(() => {
    if (othersTexts.get(id) !== text) return;
    othersTexts.delete(id);
    const now = drafts.peek().get(id);
    // What is recorded anew is considered anew.
    if (now && isChanged(now)) recordDraft(id, { ...now });
  }, othersMs);
}

/** Returns whether somebody writes in the box, and does not only leave it open. */
const hasKeyboard = () => document.hasFocus() && Boolean(document.activeElement?.closest('.compose'));

/** Merges what the server has. */
function pull(): void {
  if (underway) return;
  const now = composition.peek();
  const writingId = now && hasKeyboard() ? now.id : null;
  const local = [...drafts.peek().values()];
  const server = new Map([...peek().drafts].filter(([id]) => !deleted.has(id)));
  const isAwaited = (id: number) => {
    const draft = server.get(id);
    if (draft && fromServer(draft).base === expected.get(id)) expected.delete(id);
    return expected.has(id);
  };
  // Whoever wants no drafts at the server keeps those of this browser.
  const merged = isSynchronized()
    ? reconcile(local, server, { writingId, isAwaited, newId: newDraftId })
    : local.map((draft) => (draft.serverId === null ? draft : { ...draft, serverId: null, base: null }));
  replaceDrafts(merged);
  if (!now) return;
  const written = drafts.peek().get(now.id);
  if (written) adoptDraft(written);
  // It was sent or deleted elsewhere, and nobody goes on with it here.
  else if (local.some(({ id }) => id === now.id)) openBlank(now.target);
}

/** Saves at the server what it does not have. */
async function push(connection: Connection): Promise<void> {
  if (underway || !isSynchronized() || status.peek() !== 'online') return;
  underway = pushAll(connection);
  await underway;
  underway = null;
  pull();
}

async function pushAll(connection: Connection): Promise<void> {
  const sent = new Set([...sending.peek().values()].map(({ id }) => id));
  for (const draft of drafts.peek().values()) {
    const text = fingerprint(draft);
    const isLeft = refused.get(draft.id) === text || othersTexts.get(draft.id) === text;
    if (sent.has(draft.id) || !isChanged(draft) || isLeft) continue;
    try {
      await pushOne(connection, draft);
    } catch (error) {
      if (isTransient(error)) return;
      refused.set(draft.id, fingerprint(draft));
    }
  }
}

async function pushOne(connection: Connection, draft: Draft): Promise<void> {
  const { id, serverId } = draft;
  if (isBlank(draft)) {
    if (serverId !== null) await deleteAtServer(connection, serverId);
    const now = drafts.peek().get(id);
    if (now && isBlank(now)) removeDraft(id);
    else if (now) putDraft({ ...now, serverId: null, base: null });
    return;
  }
  let savedId = serverId;
  if (savedId === null) savedId = await createDraft(connection, toServer(draft));
  else {
    try {
      await updateDraft(connection, savedId, toServer(draft));
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
      savedId = await createDraft(connection, toServer(draft));
    }
  }
  expect(savedId, fingerprint(draft));
  const now = drafts.peek().get(id);
  if (now) putDraft({ ...now, serverId: savedId, base: fingerprint(draft) });
  else await deleteAtServer(connection, savedId);
}

function expect(serverId: number, saved: string): void {
  expected.set(serverId, saved);
  setTimeout(() => {
    if (expected.get(serverId) !== saved) return;
    expected.delete(serverId);
    pull();
  }, expectedMs);
}

async function deleteAtServer(connection: Connection, id: number): Promise<void> {
  deleted.add(id);
  try {
    await deleteDraft(connection, id);
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
  }
}

/** Forgets a draft, here and at the server. */
export async function forgetDraft(connection: Connection, id: string): Promise<void> {
  const draft = drafts.peek().get(id);
  removeDraft(id);
  // One that is on its way to the server is deleted there when it has arrived.
  if (draft && draft.serverId !== null && isSynchronized()) {
    await underway;
    await deleteAtServer(connection, draft.serverId);
  }
}
