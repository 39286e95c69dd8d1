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
import { composition, adoptDraft, openBlank, openDraft, sending } from './composition.ts';
import { listCreatedTwice } from './created-twice.ts';
import {
  type Draft,
  fingerprint,
  fromServer,
  isBlank,
  isChanged,
  toServer,
  unsaved,
  waitOf,
} from './draft.ts';
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

/** An event that has not come by then was overtaken by another one. */
const expectedMs = 10_000;
/** So long, other tabs have time to save what was written there. */
const othersMs = 30_000;

const isSynchronized = () => peek().own.user_settings['enable_drafts_synchronization'] === true;

/** Returns whether somebody writes in the box, and does not only leave it open. */
const hasKeyboard = () => document.hasFocus() && Boolean(document.activeElement?.closest('.compose'));

/** Keeps the drafts of an account here and at the server. */
class DraftSync {
  /** What the server has refused, which is not sent again as it is. */
  private readonly refused = new Map<string, string>();
  /** What was saved at the server and no event has confirmed yet, by the ids there; and what it was asked to delete. */
  private readonly expected = new Map<number, string>();
  private readonly deleted = new Set<number>();
  /** What other tabs have written: they save it. One that was closed has not, and this tab does it then. */
  private readonly othersTexts = new Map<string, string>();
  /** Drafts on their way to the server. Meanwhile events about them say nothing new. */
  private underway: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Begins, for the account of a connection. Returns what ends it. */
  start(connection: Connection): () => void {
    const { user_id, realm_url } = peek().own;
    const close = openDrafts(`${realm_url} ${user_id}`, (id, draft) => this.applyOtherTab(id, draft));
    const stopPulling = effect(() => {
      slice('drafts');
      userSetting('enable_drafts_synchronization');
      untracked(() => this.pull());
    });
    const stopPushing = effect(() => {
      void [drafts.value, status.value, sending.value, slice('drafts')];
      this.pushAfter(connection, quietMs);
    });
    return () => {
      close();
      stopPulling();
      stopPushing();
      clearTimeout(this.timer);
    };
  }

  private pushAfter(connection: Connection, ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.push(connection), ms);
  }

  /** Applies a draft of another tab. Two tabs that write the same draft have two copies from then on. */
  private applyOtherTab(id: string, draft: Draft | null): void {
    const now = composition.peek();
    const isGone = !draft || isBlank(draft);
    if (draft) {
      this.leaveToOthers(draft);
      // The other tab may know of it before the event has come here.
      if (draft.serverId !== null && !isChanged(draft)) this.expect(draft.serverId, fingerprint(draft));
    }
    if (now?.id !== id || (draft && draft.content.startsWith(now.content))) {
      recordDraft(id, draft);
      if (draft) adoptDraft(draft);
      this.pull();
      return;
    }
    if (isGone && !hasKeyboard()) {
      // It was sent or deleted there, and nobody goes on with it here.
      recordDraft(id, draft);
      openBlank(now.target);
      return;
    }
    if (draft && !isGone && now.content.startsWith(draft.content)) {
      // It is what this tab had written a moment ago, and says what the server has of it.
      const { serverId, base, asked } = draft;
      putDraft({ ...now, serverId, base, asked });
      return;
    }
    const own = { ...now, id: newDraftId(), ...unsaved };
    composition.value = own;
    recordDraft(id, draft);
    putDraft(own);
  }

  private leaveToOthers(draft: Draft): void {
    const { id } = draft;
    const text = fingerprint(draft);
    const known = drafts.peek().get(id);
    // Only what the server has of it is news.
    if (known && fingerprint(known) === text) return;
    this.othersTexts.set(id, text);
    setTimeout(() => {
      if (this.othersTexts.get(id) !== text) return;
      this.othersTexts.delete(id);
      const now = drafts.peek().get(id);
      // What is recorded anew is considered anew.
      if (now && isChanged(now)) recordDraft(id, { ...now });
    }, othersMs);
  }

  /** Merges what the server has. */
  private pull(): void {
    if (this.underway) return;
    const now = composition.peek();
    const writingId = now && hasKeyboard() ? now.id : null;
    const local = [...drafts.peek().values()];
    const server = new Map([...peek().drafts].filter(([id]) => !this.deleted.has(id)));
    const isAwaited = (id: number) => {
      const draft = server.get(id);
      if (draft && fromServer(draft).base === this.expected.get(id)) this.expected.delete(id);
      return this.expected.has(id);
    };
    // Whoever wants no drafts at the server keeps those of this browser.
    const merged = isSynchronized()
      ? reconcile(local, server, { writingId, isAwaited, newId: newDraftId })
      : local.map((draft) => (draft.serverId === null ? draft : { ...draft, ...unsaved }));
    replaceDrafts(merged);
    if (!now) return;
    const written = drafts.peek().get(now.id);
    if (written) adoptDraft(written);
    else if (local.some(({ id }) => id === now.id)) {
      const same = merged.find((draft) => fingerprint(draft) === fingerprint(now));
      if (same) openDraft(same);
      // It was sent or deleted elsewhere, and nobody goes on with it here.
      else openBlank(now.target);
    }
  }

  /** Saves at the server what it does not have. */
  private async push(connection: Connection): Promise<void> {
    if (this.underway || !isSynchronized() || status.peek() !== 'online') return;
    // Nothing here has to do any more with what is there twice.
    this.pull();
    this.underway = this.pushAll(connection);
    await this.underway;
    this.underway = null;
    this.pull();
  }

  private async pushAll(connection: Connection): Promise<void> {
    await this.deleteTwice(connection);
    const sent = new Set([...sending.peek().values()].map(({ id }) => id));
    for (const draft of drafts.peek().values()) {
      const text = fingerprint(draft);
      const isLeft = this.refused.get(draft.id) === text || this.othersTexts.get(draft.id) === text;
      if (sent.has(draft.id) || !isChanged(draft) || isLeft) continue;
      const waitMs = waitOf(draft, Date.now());
      if (waitMs > 0) {
        this.pushAfter(connection, waitMs);
        continue;
      }
      try {
        await this.pushOne(connection, draft);
      } catch (error) {
        if (isTransient(error)) return;
        this.refused.set(draft.id, text);
        const now = drafts.peek().get(draft.id);
        if (now?.asked) putDraft({ ...now, asked: null });
      }
    }
  }

  private async deleteTwice(connection: Connection): Promise<void> {
    for (const id of listCreatedTwice(peek().drafts.values()).keys()) {
      try {
        if (!this.deleted.has(id)) await this.deleteAtServer(connection, id);
      } catch {
        // It is not shown, and goes when the page is loaded anew.
      }
    }
  }

  private async pushOne(connection: Connection, draft: Draft): Promise<void> {
    const { id, serverId } = draft;
    const text = fingerprint(draft);
    const create = () => {
      const now = drafts.peek().get(id);
      if (now) putDraft({ ...now, ...unsaved, asked: { text, atMs: Date.now() } });
      return createDraft(connection, toServer(draft));
    };
    if (isBlank(draft)) {
      if (serverId !== null) await this.deleteAtServer(connection, serverId);
      const now = drafts.peek().get(id);
      if (now && isBlank(now)) removeDraft(id);
      else if (now) putDraft({ ...now, ...unsaved });
      return;
    }
    let savedId = serverId;
    if (savedId === null) savedId = await create();
    else {
      try {
        await updateDraft(connection, savedId, toServer(draft));
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
        savedId = await create();
      }
    }
    this.expect(savedId, text);
    const now = drafts.peek().get(id);
    if (now) putDraft({ ...now, serverId: savedId, base: text, asked: null });
    else await this.deleteAtServer(connection, savedId);
  }

  private expect(serverId: number, saved: string): void {
    this.expected.set(serverId, saved);
    setTimeout(() => {
      if (this.expected.get(serverId) !== saved) return;
      this.expected.delete(serverId);
      this.pull();
    }, expectedMs);
  }

  private async deleteAtServer(connection: Connection, id: number): Promise<void> {
    this.deleted.add(id);
    try {
      await deleteDraft(connection, id);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
    }
  }

  /**
   * Forgets a draft, here and at the server. Until it is gone there, an empty one stands for it here, which the next page
   * deletes if this one goes before that.
   */
  async forget(connection: Connection, id: string): Promise<void> {
    const draft = drafts.peek().get(id);
    if (!draft) return;
    if (!isSynchronized() || (draft.serverId === null && !draft.asked)) {
      removeDraft(id);
      return;
    }
    putDraft({ ...draft, content: '' });
    await this.underway;
    const now = drafts.peek().get(id);
    if (now && isBlank(now) && now.serverId !== null) await this.pushOne(connection, now);
  }
}

const sync = new DraftSync();

/** Keeps the drafts of an account here and at the server. Returns what ends it. */
export const startDrafts = (connection: Connection): (() => void) => sync.start(connection);

/** Forgets a draft, here and at the server. */
export const forgetDraft = (connection: Connection, id: string): Promise<void> => sync.forget(connection, id);
