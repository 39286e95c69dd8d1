import { listCreatedTwice } from './created-twice.ts';
import {
  type Draft,
  type ServerDraft,
  fingerprint,
  fromServer,
  isBlank,
  isChanged,
  unsaved,
} from './draft.ts';

interface Context {
  /** The draft that somebody writes right now. It is never replaced while it is written. */
  writingId: string | null;
  /** Whether this draft was saved at the server just now, and the client's state does not say so yet. */
  readonly isAwaited: (serverId: number) => boolean;
  /** Makes an id for a draft that becomes two. */
  readonly newId: () => string;
}

/**
 * What this browser keeps once it knows what the server has. Whatever was written and not saved at the server stays:
 * where both have changed, both are kept. A draft that stays as it is is the same object.
 */
export function reconcile(
  known: readonly Draft[],
  stored: ReadonlyMap<number, ServerDraft>,
  { writingId, isAwaited, newId }: Context,
): Draft[] {
  const twice = listCreatedTwice(stored.values());
  const server = new Map([...stored].filter(([id]) => !twice.has(id)));
  const isOpen = (draft: Draft) => draft.id === writingId || isChanged(draft);
  const local = known
    .map((draft) => {
      const first = draft.serverId === null ? undefined : twice.get(draft.serverId);
      return first === undefined ? draft : { ...draft, serverId: first };
    })
    // Of two that are one at the server, the one goes on that somebody goes on with.
    .sort((one, other) => Number(isOpen(other)) - Number(isOpen(one)));
  const kept: Draft[] = [];
  const seen = new Set<number>();
  const linked = new Set(local.map(({ serverId }) => serverId));
  /** What the server has of a draft that this page has not saved there: another tab has, or this one before it was loaded anew. */
  const sameAs = (draft: Draft) =>
    [...server].find(
      ([id, one]) =>
        !linked.has(id) &&
        !seen.has(id) &&
        [fingerprint(draft), draft.asked?.text].includes(fromServer(one).base ?? ''),
    );
  for (const draft of local) {
    const { serverId, base } = draft;
    if (serverId === null) {
      const [id = null, same] = sameAs(draft) ?? [];
      if (id !== null) seen.add(id);
      kept.push(same ? { ...draft, serverId: id, base: fromServer(same).base, asked: null } : draft);
      continue;
    }
    if (seen.has(serverId)) {
      // Another tab may have kept it under another name.
      const isKept = kept.some((one) => fingerprint(one) === fingerprint(draft));
      if (isChanged(draft) && !isKept) kept.push({ ...draft, ...unsaved });
      continue;
    }
    if (isAwaited(serverId)) {
      seen.add(serverId);
      kept.push(draft);
      continue;
    }
    const sent = server.get(serverId);
    if (!sent) {
      // Somebody has sent or deleted it elsewhere.
      if ((isChanged(draft) || draft.id === writingId) && !isBlank(draft)) {
        kept.push({ ...draft, ...unsaved });
      }
      continue;
    }
    seen.add(serverId);
    const theirs = fromServer(sent);
    if (fingerprint(theirs) === fingerprint(draft)) {
      kept.push(theirs.base === base ? draft : { ...draft, base: theirs.base });
    } else if (theirs.base === base) kept.push(draft);
    else if (!isChanged(draft)) kept.push({ ...theirs, id: draft.id });
    else {
      const isWriting = draft.id === writingId;
      kept.push({ ...draft, id: isWriting ? draft.id : newId(), ...unsaved });
      kept.push(isWriting ? theirs : { ...theirs, id: draft.id });
    }
  }
  for (const [id, sent] of server) if (!seen.has(id)) kept.push(fromServer(sent));
  return kept;
}
