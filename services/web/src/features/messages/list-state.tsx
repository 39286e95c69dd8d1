import type { MessageList } from '@parley/client';

import { type Narrow, channelOf } from '../../base/router/narrow.ts';
import { Empty } from '../../base/states/empty.tsx';
import { Skeleton } from '../../base/states/skeleton.tsx';
import { commonText } from '../../strings/common.ts';
import { errorText } from '../../strings/errors.ts';
import { listNames } from '../../strings/language.ts';
import { messageText } from '../../strings/messages.ts';
import { EmptyState } from './empty-state.tsx';

/** Shows which words are searched for instead of those that no message has. */
export function Corrected({ list }: { list: MessageList }) {
  const corrections = Object.entries(list.corrections);
  if (corrections.length === 0) return null;
  return (
    <p class="list-corrected" role="status">
      {corrections.map(([written, words]) => (
        <span key={written} dir="auto">
          {messageText.corrected(written, listNames(words))}
        </span>
      ))}
    </p>
  );
}

interface ListStateProps {
  list: MessageList;
  narrow: Narrow;
  readonly onRetry: () => void;
}

/** Shows that messages are being loaded, why that failed, or that there are none. */
export function ListState({ list, narrow, onRetry }: ListStateProps) {
  const { loading, error, ids, hasNewest, hasOldest } = list;
  if (error && ids.length === 0) {
    return (
      <div class="list-state">
        <Empty drawing="cable" text={errorText(error)} isRefusal>
          <button type="button" onClick={onRetry}>
            {commonText.tryAgain}
          </button>
        </Empty>
      </div>
    );
  }
  if (error) {
    return (
      <div class="list-note refused" role="alert">
        <span>{errorText(error)}</span>
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
      <div class="list-state of-skeleton">
        <Skeleton />
      </div>
    );
  }
  if (list.pending().length > 0) return null;
  return (
    <div class="list-state">
      <EmptyState narrow={narrow} isChannel={channelOf(narrow) !== null} />
    </div>
  );
}
