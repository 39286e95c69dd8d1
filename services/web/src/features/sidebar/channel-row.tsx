import type { Subscription } from '@parley/client';
import { useComputed } from '@preact/signals';
import { ChevronDown, ChevronRight, Lock, Plus } from 'lucide-preact';
import { memo } from 'preact/compat';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { MenuButton, openMenuOfRow } from '../../base/dialogs/menu-button.tsx';
import { toChannel } from '../../base/router/narrow.ts';
import { beginTopic } from '../../data/actions/channel-verbs.ts';
import { isSpectator } from '../../data/session/session.ts';
import { followToChannel } from '../../data/topics/open-channel.ts';
import { counts } from '../../data/unread/counts.ts';
import { channelMenuText } from '../../strings/channels.ts';
import { sidebarText } from '../../strings/shell.ts';
import { channelItems } from './channel-menu.ts';
import { ChannelTopics } from './channel-topics.tsx';
import { isToggled, toggle } from './folded.ts';

/** `isShown`: the view is of this channel, or of one of its topics. */
interface ChannelRowProps {
  channel: Subscription;
  isShown: boolean;
  isWhole: boolean;
}

const rowClass = (isMuted: boolean, count: number) => (isMuted ? 'is-muted' : count > 0 ? 'is-unread' : '');

/**
 * A channel, and its topics while it is shown or the reader has unfolded it. Rendered only when something of it
 * changes.
 */
export const ChannelRow = memo(function ChannelRow({ channel, isShown, isWhole }: ChannelRowProps) {
  const { stream_id: id, name, is_muted, invite_only, color } = channel;
  const count = useComputed(() => counts.value.channels.get(id)?.count ?? 0).value;
  const muted = useComputed(() => counts.value.channels.get(id)?.muted ?? 0).value;
  const hasMention = useComputed(() => counts.value.channels.get(id)?.hasMention ?? false).value;
  const isTouched = useComputed(() => isToggled(`channel ${id}`)).value;
  const isUnfolded = isShown !== isTouched;
  return (
    <li class={rowClass(is_muted, count)}>
      <div class="sidebar-row" onContextMenu={openMenuOfRow}>
        <button
          type="button"
          class="icon-button fold-button"
          aria-label={sidebarText.topicsOf(name)}
          aria-expanded={isUnfolded}
          onClick={() => toggle(`channel ${id}`)}
        >
          {isUnfolded ? <ChevronDown /> : <ChevronRight class="mirrored" />}
        </button>
        <a
          href={toChannel(id, name)}
          aria-current={isWhole ? 'page' : undefined}
          onClick={(event) => followToChannel(event, id)}
        >
          <span class="sidebar-name">
            <ChannelSign color={color} />
            <bdi>{name}</bdi>
            {invite_only && (
              <span class="dim" role="img" aria-label={sidebarText.private}>
                {' '}
                <Lock class="small-icon" />
              </span>
            )}
          </span>
          <UnreadCount
            count={count > 0 ? count : muted}
            isMuted={is_muted || count === 0}
            hasMention={hasMention}
          />
        </a>
        {!isSpectator() && <RowButtons id={id} name={name} />}
      </div>
      {isUnfolded && <ChannelTopics id={id} name={name} />}
    </li>
  );
});

const RowButtons = ({ id, name }: { id: number; name: string }) => (
  <span class="row-buttons">
    <button
      type="button"
      class="icon-button"
      aria-label={channelMenuText.newTopicIn(name)}
      onClick={() => beginTopic(id)}
    >
      <Plus />
    </button>
    <MenuButton label={channelMenuText.menu(name)} items={() => channelItems(id)} />
  </span>
);
