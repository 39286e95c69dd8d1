/** Where a list begins: at a message, or at what the server knows by these names. */
export type Anchor = number | 'newest' | 'oldest' | 'first_unread';

/** How messages are asked for. */
export const pageForm = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true };

/** So many messages are loaded at once, unless a client says otherwise. */
export const usualPageSize = 100;

/** How a page around an anchor is asked for. */
export function pageAt(
  at: Anchor,
  pageSize: number,
): { anchor: string; num_before: number; num_after: number } {
  const half = Math.ceil(pageSize / 2);
  const anchor = String(at);
  if (at === 'newest') return { anchor, num_before: pageSize, num_after: 0 };
  return at === 'oldest'
    ? { anchor, num_before: 0, num_after: pageSize }
    : { anchor, num_before: half, num_after: half };
}
