import { ArrowLeft, CalendarDays, List } from 'lucide-preact';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { goAgain, useFragment } from '../../base/router/fragment.ts';
import { isPlainPlace } from '../../base/router/narrow-kind.ts';
import { type Narrow, channelOf, peopleOf, toChannel, topicOf, viewKeyOf } from '../../base/router/narrow.ts';
import { useViewTitle } from '../../base/router/view-title.ts';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import { own, slice } from '../../data/live/state.ts';
import { titleOf, topicName } from '../../data/places/title.ts';
import { searchOrigin } from '../../data/searches/search-origin.ts';
import { isSpectator } from '../../data/session/session.ts';
import { topicsText } from '../../strings/channels.ts';
import { dateText, resultsText } from '../../strings/search.ts';
import { TopicActions } from '../actions/index.ts';
import { Avatar } from '../avatars/index.ts';
import { Html } from '../content/index.ts';

/** The most people of a conversation whose pictures stand before their names. */
const picturesMax = 4;

/** Says where the messages below are, with the menu of a topic. */
export function ViewHeader({ narrow }: { narrow: Narrow }) {
  const [channel, topic] = [channelOf(narrow), topicOf(narrow)];
  const title = titleOf(narrow);
  useViewTitle(title);
  const about = channel === null ? undefined : slice('channels').get(channel);
  const isPlace = isPlainPlace(narrow);
  return (
    <header class="view-header">
      <WayBack />
      <People narrow={narrow} />
      <h1 dir="auto">{channel !== null && isPlace ? <Crumbs channel={channel} topic={topic} /> : title}</h1>
      {channel !== null && topic !== null && <TopicActions stream={channel} topic={topic} />}
      {about?.rendered_description && topic === null && (
        <Html class="view-about dim" html={about.rendered_description} />
      )}
      {channel !== null && topic === null && !isSpectator() && (
        <a
          class="icon-button button"
          href={`#channels/${channel}/topics`}
          aria-label={topicsText.topics}
          title={topicsText.topics}
        >
          <List class="small-icon" />
        </a>
      )}
      <button
        type="button"
        class="icon-button view-date"
        aria-label={dateText.title}
        title={dateText.title}
        onClick={() => showDialog({ kind: 'date' })}
      >
        <CalendarDays />
      </button>
    </header>
  );
}

/** Leads back to the results from which somebody has come to this conversation. */
function WayBack() {
  const viewKey = viewKeyOf(useFragment());
  const origin = searchOrigin.value;
  if (origin?.viewKey !== viewKey) return null;
  return (
    <a
      class="icon-button button"
      href={origin.search}
      aria-label={resultsText.back}
      title={resultsText.back}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        goAgain(origin.search, origin.entry);
      }}
    >
      <ArrowLeft class="mirrored" />
    </a>
  );
}

/** The channel, which leads to all of it, and the topic. */
function Crumbs({ channel, topic }: { channel: number; topic: string | null }) {
  const { name = String(channel) } = slice('channels').get(channel) ?? {};
  const sign = <ChannelSign color={slice('subscriptions').get(channel)?.color} />;
  if (topic === null) {
    return (
      <>
        {sign}
        {name}
      </>
    );
  }
  return (
    <>
      <a class="crumb" href={toChannel(channel, name)}>
        {sign}
        {name}
      </a>
      <span class="dim"> › </span>
      {topicName(topic)}
    </>
  );
}

/** The others of a direct conversation. */
function People({ narrow }: { narrow: Narrow }) {
  const people = peopleOf(narrow);
  if (isSpectator() || !people || !isPlainPlace(narrow)) return null;
  const others = people.filter((id) => id !== own('user_id'));
  const shown = others.length > 0 ? others : people;
  return (
    <span class="view-people">
      {shown.slice(0, picturesMax).map((id) => (
        <Avatar key={id} id={id} size={28} hasPresence={shown.length === 1} />
      ))}
    </span>
  );
}
