import { signal } from '@preact/signals';

/** The most people of a conversation that are listed before all others. */
const participantsMax = 30;

/** Who has written in the conversation that is shown, the last one first. */
export const participants = signal<readonly number[]>([]);

/** Sets who takes part in what is shown, by the senders of its messages from the oldest. */
export function setParticipants(senders: readonly number[]): void {
  const next = [...new Set(senders.toReversed())].slice(0, participantsMax);
  if (next.join() !== participants.peek().join()) participants.value = next;
}
