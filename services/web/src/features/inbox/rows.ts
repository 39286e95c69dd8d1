import type { UnreadPlace, UnreadSection } from '../../data/unread/unread-places.ts';

/** A line of the inbox: the head of a section, or a conversation. */
export interface InboxRow {
  /** Unlike that of every other line. */
  key: string;
  /** Where it leads; null for a head, which folds. */
  href: string | null;
  /** What is marked as read with it. */
  places: readonly UnreadPlace[];
}

export const keyOfSection = ({ channelId }: Pick<UnreadSection, 'channelId'>): string =>
  channelId === null ? 'direct' : `channel ${channelId} `;

/** Returns the lines of the inbox from above, as keys walk through them; what is folded has only its head. */
export const rowsOf = (sections: readonly UnreadSection[], isFolded: (key: string) => boolean): InboxRow[] =>
  sections.flatMap((section) => {
    const head = { key: keyOfSection(section), href: null, places: section.places };
    if (isFolded(head.key)) return [head];
    return [head, ...section.places.map((one) => ({ key: one.place, href: one.href, places: [one] }))];
  });

/** Returns the line after another, or before it; the first where there is no other. */
export function stepFrom(rows: readonly InboxRow[], key: string | null, by: number): InboxRow | undefined {
  const at = rows.findIndex((row) => row.key === key);
  return at === -1 ? rows[0] : rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
}
