import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { useFragment } from '../../base/router/fragment.ts';
import { slice } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';
import { counts } from '../../data/unread/counts.ts';
import { viewText } from '../../strings/views.ts';

interface Line {
  fragment: string;
  title: string;
  /** Shown only where there is some. */
  count?: number;
  /** What is counted is not unread. */
  isTally?: boolean;
}

/** Views of messages from everywhere. */
export function Views() {
  const fragment = useFragment();
  const { all } = counts.value;
  const [starred, drafts, scheduled] = [slice('starred').size, slice('drafts').size, slice('scheduled').size];
  const lines: Line[] = isSpectator()
    ? [{ fragment: 'feed', title: viewText.feed }]
    : [
        { fragment: 'inbox', title: viewText.inbox, count: all },
        { fragment: 'recent', title: viewText.recent },
        { fragment: 'feed', title: viewText.feed },
        { fragment: 'narrow/is/mentioned', title: viewText.mentions, count: slice('mentions').size },
        { fragment: 'narrow/is/starred', title: viewText.starred, count: starred, isTally: true },
        { fragment: 'drafts', title: viewText.drafts, count: drafts, isTally: true },
        { fragment: 'scheduled', title: viewText.scheduled, count: scheduled, isTally: true },
      ];
  return (
    <ul>
      {lines.map(({ fragment: target, title, count = 0, isTally = false }) => (
        <li key={target}>
          <a href={`#${target}`} aria-current={fragment === target ? 'page' : undefined}>
            <span class="sidebar-name">{title}</span>
            {isTally ? count > 0 && <span class="dim">{count}</span> : <UnreadCount count={count} />}
          </a>
        </li>
      ))}
    </ul>
  );
}
