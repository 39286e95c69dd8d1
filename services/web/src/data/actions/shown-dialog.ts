import type { Message } from '@parley/client';
import { signal } from '@preact/signals';

/** What is moved: one message and what its author chooses of its topic, or a whole topic. */
export interface Moved {
  /** The message that the change is asked of. */
  id: number;
  channelId: number;
  topic: string;
  isWholeTopic: boolean;
}

/** A dialog, with what it is about. */
type ActionDialog =
  | { kind: 'delete' | 'readers' | 'source' | 'report'; message: Message }
  | { kind: 'move'; moved: Moved }
  | { kind: 'date' }
  | { kind: 'color'; channelId: number }
  | {
      kind: 'time';
      title: string;
      hasNote: boolean;
      readonly onPick: (at: number, note: string) => Promise<void>;
    };

/** The dialog that is open now. */
export const shownDialog = signal<ActionDialog | null>(null);

/** Opens a dialog, in the place of another. */
export const showDialog = (dialog: ActionDialog): void => void (shownDialog.value = dialog);
