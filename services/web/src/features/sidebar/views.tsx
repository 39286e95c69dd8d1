import { AtSign, CalendarClock, Clock, Inbox, Layers, PenLine, Star } from 'lucide-preact';
import type { ComponentChildren } from 'preact';

import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { useFragment } from '../../base/router/fragment.ts';
import { slice } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';
import { counts } from '../../data/unread/counts.ts';
import { viewText } from '../../strings/views.ts';

interface Line {
  fragment: string;
  title: string;
  icon: ComponentChildren;
  /** Shown only where there is some. */
  count?: number;
  /** What is counted is not unread. */
  isTally?: boolean;
  /** What is counted was written to the reader. */
  isForReader?: boolean;
}

const feed: Line = { fragment: 'feed', title: viewText.feed, icon: <Layers /> };

/** Views of messages from everywhere. */
export function Views() {
  const fragment = useFragment();
  return (
    <ul class="sidebar-views">
      {linesNow().map(
        ({ fragment: target, title, icon, count = 0, isTally = false, isForReader = false }) => (
          <li key={target}>
            <a href={`#${target}`} aria-current={fragment === target ? 'page' : undefined}>
              {icon}
              <span class="sidebar-name">{title}</span>
              {isTally ? (
                count > 0 && <span class="sidebar-tally dim">{count}</span>
              ) : (
                <UnreadCount count={count} isDirect={isForReader} />
              )}
            </a>
          </li>
        ),
      )}
    </ul>
  );
}

function linesNow(): Line[] {
  if (isSpectator()) return [feed];
  const { all } = counts.value;
  const [starred, drafts, scheduled] = [slice('starred').size, slice('drafts').size, slice('scheduled').size];
  const mentions = slice('mentions').size;
  return [
    { fragment: 'inbox', title: viewText.inbox, icon: <Inbox />, count: all },
    { fragment: 'recent', title: viewText.recent, icon: <Clock /> },
    feed,
    {
      fragment: 'narrow/is/mentioned',
      title: viewText.mentions,
      icon: <AtSign />,
      count: mentions,
      isForReader: true,
    },
    { fragment: 'narrow/is/starred', title: viewText.starred, icon: <Star />, count: starred, isTally: true },
    { fragment: 'drafts', title: viewText.drafts, icon: <PenLine />, count: drafts, isTally: true },
    {
      fragment: 'scheduled',
      title: viewText.scheduled,
      icon: <CalendarClock />,
      count: scheduled,
      isTally: true,
    },
  ];
}
