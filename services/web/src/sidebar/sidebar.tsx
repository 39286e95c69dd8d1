import { part } from '../live/state.ts';
import { useFragment } from '../router/fragment.ts';
import { channelOf, readNarrow, toChannel } from '../router/narrow.ts';
import { ChannelTopics } from './channel-topics.tsx';

import './sidebar.css';
import { UnreadCount } from './unread-count.tsx';

/** The channels of the reader with what is unread in each, and the topics of the one that is shown. */
export function Sidebar() {
  const narrow = readNarrow(useFragment());
  const shown = narrow && channelOf(narrow);
  const { inChannels } = part('unread');
  const channels = [...part('subscriptions').values()].sort((a, b) => a.name.localeCompare(b.name));
  return (
    <div class="sidebar">
      <ul>
        <li>
          <a href="#feed">Combined feed</a>
        </li>
      </ul>
      <h2>Channels</h2>
      <ul>
        {channels.map(({ stream_id: id, name }) => (
          <li key={id}>
            <a href={toChannel(id, name)} aria-current={shown === id ? 'page' : undefined}>
              <span class="sidebar-name">#{name}</span>
              <UnreadCount count={inChannels.get(id) ?? 0} />
            </a>
            {shown === id && <ChannelTopics id={id} name={name} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
