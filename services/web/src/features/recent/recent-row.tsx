import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { namesAndMore } from '../../strings/common.ts';
import { locale } from '../../strings/language.ts';
import { Avatar } from '../avatars/index.ts';
import type { Row } from './conversations.ts';

/** The most participants that are named. Of the others, only the number is shown. */
const namesMax = 3;

interface RecentRowProps extends Row {
  readonly onSelect: () => void;
}

/** A conversation: where, who takes part, how much is unread, and when somebody wrote last. */
export const RecentRow = ({
  place,
  channelId,
  name,
  href,
  unread,
  timestamp,
  participants,
  onSelect,
}: RecentRowProps) => (
  <a class="recent-row" href={href} data-place={place} onFocus={onSelect}>
    <span class="recent-place">
      <span class="recent-name" dir="auto">
        {channelId !== null && <ChannelSign color={slice('subscriptions').get(channelId)?.color} />}
        {channelId === null ? name : name.replace(/^#/, '')}
      </span>
      <UnreadCount count={unread} isDirect={channelId === null} />
    </span>
    <span class="recent-pictures">
      {participants.slice(0, namesMax).map((id) => (
        <Avatar key={id} id={id} size={20} />
      ))}
    </span>
    <span class="recent-people dim">
      {namesAndMore(participants.slice(0, namesMax).map(nameOfUser), participants.length - namesMax)}
    </span>
    {timestamp !== null && <Time seconds={timestamp} />}
  </a>
);

/** Today the hour, else the day. */
function Time({ seconds }: { seconds: number }) {
  const date = new Date(seconds * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time class="recent-time dim" dateTime={date.toISOString()} title={date.toLocaleString(locale())}>
      {isToday
        ? date.toLocaleTimeString(locale(), { timeStyle: 'short' })
        : date.toLocaleDateString(locale())}
    </time>
  );
}
