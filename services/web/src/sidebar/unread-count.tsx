/** How much is unread of something; nothing, if all is read. */
export const UnreadCount = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <span class="unread-count">
      {count}
      <span class="visually-hidden"> unread</span>
    </span>
  );
