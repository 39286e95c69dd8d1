import type { MessageList } from '@parley/client';

import { type Narrow, channelOf } from '../../base/router/narrow.ts';
import { commonText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';
import { EmptyState } from './empty-state.tsx';

interface ListStateProps {
  list: MessageList;
  narrow: Narrow;
  readonly onRetry: () => void;
}

/** Shows that messages are being loaded, why that failed, or that there are none. */
export function ListState({ list, narrow, onRetry }: ListStateProps) {
  const { loading, error, ids, hasNewest, hasOldest } = list;
  if (error) {
    return (
      <div class={ids.length === 0 ? 'list-state' : 'list-note'} role="alert">
        <p>{errorText(error)}</p>
        <button type="button" onClick={onRetry}>
          {commonText.tryAgain}
        </button>
      </div>
    );
  }
  if (ids.length > 0) {
    return loading === null ? null : (
      <p class={`list-note loading ${loading}`} role="status">
        {commonText.loading}
      </p>
    );
  }
  if (loading || !hasNewest || !hasOldest) {
    return (
      <p class="list-state" role="status">
        {commonText.loading}
      </p>
    );
  }
  if (list.pending().length > 0) return null;
  return <EmptyState narrow={narrow} isChannel={channelOf(narrow) !== null} />;
}
