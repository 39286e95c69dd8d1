import { unreadText } from '../../strings/inbox.ts';

interface UnreadCountProps {
  count: number;
  /** Whether the reader mutes it. */
  isMuted?: boolean;
  hasMention?: boolean;
  /** Whether what is counted was written to the reader alone. */
  isDirect?: boolean;
}

/** Shows a number of unread messages, or nothing if all are read. */
export const UnreadCount = ({
  count,
  isMuted = false,
  hasMention = false,
  isDirect = false,
}: UnreadCountProps) =>
  count === 0 ? null : (
    <span
      class={`unread-count ${isMuted && !hasMention ? 'muted' : ''} ${hasMention || isDirect ? 'for-you' : ''}`}
    >
      {hasMention && (
        <>
          @<span class="visually-hidden"> {unreadText.mentioned} </span>
        </>
      )}
      {count}
      <span class="visually-hidden"> {unreadText.unread}</span>
    </span>
  );
