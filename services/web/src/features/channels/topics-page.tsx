import { inTopic, topicKey } from '@parley/client';
import { signal, useSignal } from '@preact/signals';
import { Bell, Plus } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { MenuButton, openMenuOfRow } from '../../base/dialogs/menu-button.tsx';
import { FilterChoice, FilterText } from '../../base/forms/filter-fields.tsx';
import { toTopic } from '../../base/router/narrow.ts';
import { useViewTitle } from '../../base/router/view-title.ts';
import { Empty } from '../../base/states/empty.tsx';
import { Skeleton } from '../../base/states/skeleton.tsx';
import { beginTopic } from '../../data/actions/channel-verbs.ts';
import { isResolved } from '../../data/actions/verbs.ts';
import { slice } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { dayOf, timeOf } from '../../data/places/times.ts';
import { topicName } from '../../data/places/title.ts';
import { type Topic, topicsOf } from '../../data/topics/topics.ts';
import { counts } from '../../data/unread/counts.ts';
import { topicText } from '../../strings/actions.ts';
import { channelMenuText, channelsText, topicsText } from '../../strings/channels.ts';
import { sidebarText } from '../../strings/shell.ts';
import { topicItems } from '../actions/index.ts';
import { Crumbs } from './crumbs.tsx';
import { type ShownTopics, listedTopics } from './listed-topics.ts';
import { useNewest } from './use-newest.ts';

/** Kept while the page is open, so that coming back shows the same. */
const shown = signal<ShownTopics>('all');

const rowPixels = 44;

/** The topics of a channel, the one written to last first. */
export function TopicsPage({ id }: { id: number }) {
  const query = useSignal('');
  const scroller = useRef<HTMLDivElement>(null);
  const channel = slice('channels').get(id);
  const name = channel?.name ?? '';
  useViewTitle(topicsText.title(name));
  const all = topicsOf(id).value;
  const policies = slice('topics');
  const { at } = slice('unread');
  const topics = listedTopics(all ?? [], query.value, shown.value, {
    nameOf: topicName,
    unreadIn: (topic) => at.get(inTopic(id, topic))?.size ?? 0,
    isFollowed: (topic) => policies.get(topicKey(id, topic))?.visibility_policy === 3,
    isResolved,
  });
  return (
    <div class="channels-scroller" ref={scroller}>
      <header class="channels-head">
        <Crumbs>
          <a class="crumb" href={`#channels/${id}`}>
            <ChannelSign color={slice('subscriptions').get(id)?.color} />
            {name}
          </a>
          <span class="dim"> › </span>
          {topicsText.topics}
        </Crumbs>
        <button type="button" class="primary" onClick={() => beginTopic(id)}>
          <Plus class="small-icon" /> {channelMenuText.newTopic}
        </button>
      </header>
      <Filters query={query.value} count={topics.length} onQuery={(text) => (query.value = text)} />
      {all === null && <Skeleton rows={8} kind="lines" />}
      {all !== null && topics.length === 0 && <Empty drawing="bubbles" text={topicsText.none} />}
      <Virtualizer scrollRef={scroller} as="ul" item="li" itemSize={rowPixels} startMargin={112}>
        {topics.map((topic) => (
          <Row key={topic.name} channel={id} channelName={name} topic={topic} />
        ))}
      </Virtualizer>
    </div>
  );
}

interface FiltersProps {
  query: string;
  count: number;
  readonly onQuery: (text: string) => void;
}

const Filters = ({ query, count, onQuery }: FiltersProps) => (
  <div class="channels-filters" role="group" aria-label={channelsText.filters}>
    <FilterText label={sidebarText.searchTopics} text={query} onText={onQuery} />
    <FilterChoice
      label={topicsText.which}
      choices={topicsText.shown}
      chosen={shown.value}
      onChoose={(next) => (shown.value = next)}
    />
    <span class="dim" role="status">
      {topicsText.count(count)}
    </span>
  </div>
);

interface RowProps {
  channel: number;
  channelName: string;
  topic: Topic;
}

function Row({ channel, channelName, topic: { name, max_id } }: RowProps) {
  const place = inTopic(channel, name);
  const policy = slice('topics').get(topicKey(channel, name))?.visibility_policy ?? 0;
  const newest = useNewest(max_id);
  return (
    <div class={`channels-row ${policy === 1 ? 'is-muted' : ''}`} onContextMenu={openMenuOfRow}>
      <a class="channels-topic" href={toTopic(channel, channelName, name, { with: max_id })} dir="auto">
        {name === '' ? <em>{topicName(name)}</em> : name}
      </a>
      {policy === 3 && (
        <span class="dim" role="img" aria-label={sidebarText.followed}>
          <Bell class="small-icon" />
        </span>
      )}
      <UnreadCount
        count={slice('unread').at.get(place)?.size ?? 0}
        isMuted={policy === 1}
        hasMention={counts.value.mentioned.has(place)}
      />
      <span class="channels-newest dim">
        {newest &&
          topicsText.newest(nameOfUser(newest.sender_id), dayOf(newest.timestamp), timeOf(newest.timestamp))}
      </span>
      <MenuButton label={topicText.menuOf(topicName(name))} items={() => topicItems(channel, name)} />
    </div>
  );
}
