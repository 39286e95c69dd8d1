import { hasNetwork, status, tryNow } from '../data/live/follow.ts';
import { shellText } from '../strings/shell.ts';

/** Says that the server cannot be reached, as long as that is so. */
export const Banner = () => (
  <div class="banner" role="status" aria-live="polite">
    {(status.value === 'offline' || !hasNetwork.value) && (
      <p>
        {shellText.offline}{' '}
        <button type="button" onClick={tryNow}>
          {shellText.reconnect}
        </button>
      </p>
    )}
  </div>
);
