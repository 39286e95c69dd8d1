import { presenceNow } from './presence.ts';

/** How somebody is, as a dot, and in words for those who do not see it. */
export function PresenceDot({ userId }: { userId: number }) {
  const presence = presenceNow(userId);
  return (
    <span class={`presence ${presence}`} title={presence}>
      <span class="visually-hidden">{presence}</span>
    </span>
  );
}
