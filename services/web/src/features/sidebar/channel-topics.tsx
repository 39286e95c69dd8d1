import { inTopic, topicKey } from '@parley/client';
import { useSignal } from '@preact/signals';
import { Bell } from 'lucide-preact';

import { UnreadCount } from '../../base/counts/unread-count.tsx';
import { MenuButton, openMenuOfRow } from '../../base/dialogs/menu-button.tsx';
import { FilterText } from '../../base/forms/filter-fields.tsx';
import { useFragment } from '../../base/router/fragment.ts';
import { channelOf, readNarrow, toTopic, topicOf } from '../../base/router/narrow.ts';
import { slice } from '../../data/live/state.ts';
import { topicName } from '../../data/places/title.ts';
import { isSpectator } from '../../data/session/session.ts';
import { type Topic, topicsOf } from '../../data/topics/topics.ts';
import { counts } from '../../data/unread/counts.ts';
import { topicText } from '../../strings/actions.ts';
import { commonText } from '../../strings/common.ts';
import { sidebarText } from '../../strings/shell.ts';
import { topicItems } from '../actions/index.ts';

/** The most topics that are shown at first, besides those with unread messages. */
const shownMax = 6;

/** The topics of a channel: those with something unread, then those that were written to last. */
export function ChannelTopics({ id, name }: { id: number; name: string }) {
  const isWhole = useSignal(false);
  const filter = useSignal('');
  const all = topicsOf(id).value;
  if (all === null) return <p class="sidebar-note dim">{commonText.loading}</p>;
  const unread = slice('unread').at;
  const countOf = (topic: Topic) => unread.get(inTopic(id, topic.name))?.size ?? 0;
  const wanted = filter.value.toLowerCase();
  const matching = all.filter((topic) => topicName(topic.name).toLowerCase().includes(wanted));
  const topics = matching.toSorted((a, b) => Number(countOf(b) > 0) - Number(countOf(a) > 0));
  const shown = isWhole.value
    ? topics
    : topics.filter((topic, index) => index < shownMax || countOf(topic) > 0);
  return (
    <>
      {isWhole.value && (
        <FilterText
          class="sidebar-filter"
          label={sidebarText.searchTopicsOf(name)}
          placeholder={sidebarText.searchTopics}
          text={filter.value}
          onText={(text) => (filter.value = text)}
        />
      )}
      <ul class="sidebar-topics">
        {shown.map((topic) => (
          <TopicRow
            key={topic.name}
            channel={id}
            channelName={name}
            topic={topic.name}
            newest={topic.max_id}
            count={countOf(topic)}
          />
        ))}
      </ul>
      {topics.length > shownMax && (
        <button type="button" class="sidebar-more" onClick={() => (isWhole.value = !isWhole.value)}>
          {isWhole.value ? sidebarText.fewerTopics : sidebarText.moreTopics}
        </button>
      )}
    </>
  );
}

interface TopicRowProps {
  channel: number;
  channelName: string;
  topic: string;
  newest: number;
  count: number;
}

function TopicRow({ channel, channelName, topic, newest, count }: TopicRowProps) {
  const narrow = readNarrow(useFragment());
  const isShown =
    narrow !== null &&
    channelOf(narrow) === channel &&
    topicOf(narrow)?.toLowerCase() === topic.toLowerCase();
  const policy = slice('topics').get(topicKey(channel, topic))?.visibility_policy ?? 0;
  return (
    <li class={policy === 1 ? 'is-muted' : count > 0 ? 'is-unread' : ''}>
      <div class="sidebar-row" onContextMenu={openMenuOfRow}>
        <a
          href={toTopic(channel, channelName, topic, { with: newest })}
          aria-current={isShown ? 'page' : undefined}
        >
          <span class="sidebar-name" dir="auto">
            {topic === '' ? <em>{topicName(topic)}</em> : topic}
          </span>
          {policy === 3 && (
            <span class="dim" role="img" aria-label={sidebarText.followed}>
              <Bell class="small-icon" />
            </span>
          )}
          <UnreadCount
            count={count}
            isMuted={policy === 1}
            hasMention={counts.value.mentioned.has(inTopic(channel, topic))}
          />
        </a>
        {!isSpectator() && (
          <span class="row-buttons">
            <MenuButton label={topicText.menuOf(topicName(topic))} items={() => topicItems(channel, topic)} />
          </span>
        )}
      </div>
    </li>
  );
}
