/** What is attached to a message: JSON that its sender, or whoever may see it, has added. */
export interface Change {
  sender_id: number;
  content: string;
}

interface PollOption {
  key: string;
  text: string;
  /** Who is for it. */
  voters: ReadonlySet<number>;
}

export interface Poll {
  question: string;
  options: readonly PollOption[];
}

/** The parsed JSON of a change; an empty object for anything else. */
export function contentOf({ content }: Change): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(content);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Returns the type and the initial data of a widget, from its first change. */
export function startOf(changes: readonly Change[]): { type: unknown; data: Record<string, unknown> } {
  const [first] = changes;
  const { widget_type: type, extra_data } = first ? contentOf(first) : {};
  const isRecord = typeof extra_data === 'object' && extra_data !== null;
  return { type, data: isRecord ? (extra_data as Record<string, unknown>) : {} };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** A poll as all changes leave it, in the order in which they came. */
export function readPoll(changes: readonly Change[], authorId: number): Poll {
  const { data } = startOf(changes);
  let question = textOf(data['question']);
  const options = new Map<string, { text: string; voters: Set<number> }>();
  const initial = Array.isArray(data['options']) ? (data['options'] as unknown[]) : [];
  for (const [index, text] of initial.entries()) {
    options.set(`canned,${index}`, { text: textOf(text), voters: new Set() });
  }
  for (const change of changes.slice(1)) {
    const { type, key, vote, idx, option, question: asked } = contentOf(change);
    if (type === 'question' && change.sender_id === authorId) question = textOf(asked);
    if (type === 'new_option' && typeof idx === 'number') {
      const added = `${change.sender_id},${idx}`;
      if (!options.has(added)) options.set(added, { text: textOf(option), voters: new Set() });
    }
    if (type === 'vote') {
      const voters = options.get(textOf(key))?.voters;
      if (vote === 1) voters?.add(change.sender_id);
      else if (vote === -1) voters?.delete(change.sender_id);
    }
  }
  return { question, options: [...options].map(([key, option]) => ({ key, ...option })) };
}

/** An index that the sender has not used yet: with it, the options that one adds are distinguished. */
export function nextIndex(changes: readonly Change[], senderId: number, field: 'idx' | 'key'): number {
  const used = changes
    .filter(({ sender_id }) => sender_id === senderId)
    .map((change) => contentOf(change)[field])
    .filter((index) => typeof index === 'number');
  return Math.max(0, ...used) + 1;
}
