import type { Place } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { own, slice } from '../../data/live/state.ts';
import { typingText } from '../../strings/compose.ts';

/** Shows who is typing at a place. Somebody whose notices end without a stop is dropped after a while. */
export function Typing({ place }: { place: Place | null }) {
  const ids = place === null ? undefined : slice('typing').get(place);
  const expired = useSignal<ReadonlySet<number> | undefined>(undefined);
  const expiryMs = Number(own('server_typing_started_expiry_period_milliseconds'));
  useEffect(() => {
    if (!ids) return undefined;
    const timer = setTimeout(() => (expired.value = ids), expiryMs);
    return () => clearTimeout(timer);
  }, [ids, expiryMs]);
  const ownId = own('user_id');
  const names = [...(ids && ids !== expired.value ? ids : [])]
    .filter((id) => id !== ownId)
    .flatMap((id) => slice('users').get(id)?.full_name ?? []);
  return (
    <p class="typing dim" aria-live="polite">
      {names.length > 0 && typingText(names)}
    </p>
  );
}
