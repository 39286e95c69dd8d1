import { type ServerDraft, fromServer } from './draft.ts';

/**
 * Drafts that the server has twice, each with the older one that is the same. People do not write the same text to the same
 * place twice in a second: a page asked for it, and once more when it had no reply.
 */
export function listCreatedTwice(server: Iterable<ServerDraft>): ReadonlyMap<number, number> {
  const firsts = new Map<string, number>();
  const twice = new Map<number, number>();
  for (const draft of [...server].sort((one, other) => one.id - other.id)) {
    const key = `${draft.timestamp} ${fromServer(draft).base}`;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, draft.id);
    else twice.set(draft.id, first);
  }
  return twice;
}
