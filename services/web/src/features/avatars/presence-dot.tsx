import { presenceNow } from '../../data/people/presence.ts';
import { presenceText } from '../../strings/people.ts';

/** Shows somebody's presence as a dot, and in words for screen readers. */
export function PresenceDot({ userId }: { userId: number }) {
  const presence = presenceNow(userId);
  return (
    <span class={`presence ${presence}`} title={presenceText[presence]}>
      <span class="visually-hidden">{presenceText[presence]}</span>
    </span>
  );
}
