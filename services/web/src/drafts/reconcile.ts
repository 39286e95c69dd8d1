import { type Draft, type ServerDraft, fingerprint, fromServer, isBlank, isChanged } from './draft.ts';

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
 * where both have changed, both are kept.
 */
export function reconcile(
  local: readonly Draft[],
  server: ReadonlyMap<number, ServerDraft>,
  { writingId, isAwaited, newId }: Context,
): Draft[] {
  const kept: Draft[] = [];
  const seen = new Set<number>();
  for (const draft of local) {
    const { serverId, base } = draft;
    if (serverId === null) {
      kept.push(draft);
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
        kept.push({ ...draft, serverId: null, base: null });
      }
      continue;
    }
    if (seen.has(serverId)) continue;
    seen.add(serverId);
    const theirs = fromServer(sent);
    if (fingerprint(theirs) === fingerprint(draft)) kept.push({ ...draft, base: theirs.base });
    else if (theirs.base === base) kept.push(draft);
    else if (!isChanged(draft)) kept.push({ ...theirs, id: draft.id });
    else {
      const isWriting = draft.id === writingId;
      kept.push({ ...draft, id: isWriting ? draft.id : newId(), serverId: null, base: null });
      kept.push(isWriting ? theirs : { ...theirs, id: draft.id });
    }
  }
  for (const [id, sent] of server) if (!seen.has(id)) kept.push(fromServer(sent));
  return kept;
}
