import { commonText } from '../../strings/common.ts';

import './states.css';

interface SkeletonProps {
  rows?: number;
  /** Whether what comes is messages, or lines of a list. */
  kind?: 'messages' | 'lines';
}

/** Shows that something is loaded, in the form of what will be there, once it has taken more than a moment. */
export const Skeleton = ({ rows = 4, kind = 'messages' }: SkeletonProps) => (
  <div class={`skeleton ${kind === 'lines' ? 'of-lines' : ''}`} role="status">
    <span class="visually-hidden">{commonText.loading}</span>
    {Array.from({ length: rows }, (_, at) => (
      <div key={at} class="skeleton-row" aria-hidden="true">
        <span />
        <span />
        {kind === 'messages' && <span />}
        {kind === 'messages' && <span />}
      </div>
    ))}
  </div>
);
