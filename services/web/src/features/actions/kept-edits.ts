import { peek } from '../../data/live/state.ts';

const keyOf = (messageId: number) => {
  const { realm_url, user_id } = peek().own;
  return `parley-edit ${realm_url} ${user_id} ${messageId}`;
};

/** Returns the text of an edit that was not saved. */
export const keptEdit = (messageId: number): string | null => localStorage.getItem(keyOf(messageId));

export function keepEdit(messageId: number, text: string): void {
  try {
    localStorage.setItem(keyOf(messageId), text);
  } catch {
    // The store is full.
  }
}

export const forgetEdit = (messageId: number): void => localStorage.removeItem(keyOf(messageId));
