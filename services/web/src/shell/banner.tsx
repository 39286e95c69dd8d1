import { hasNetwork, status, tryNow } from '../live/follow.ts';

/** Says that the server cannot be reached, as long as that is so. */
export const Banner = () => (
  <div class="banner" role="status" aria-live="polite">
    {(status.value === 'offline' || !hasNetwork.value) && (
      <p>
        No connection to the server. What you see may be old.{' '}
        <button type="button" onClick={tryNow}>
          Try now
        </button>
      </p>
    )}
  </div>
);
