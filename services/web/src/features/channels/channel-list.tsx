import type { ChannelWithSubscribers } from '@parley/client';
import { signal, useSignal } from '@preact/signals';
import { Lock, Plus } from 'lucide-preact';
import { useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { FilterChoice, FilterText } from '../../base/forms/filter-fields.tsx';
import { plainText } from '../../base/html/html-policy.ts';
import { toChannel } from '../../base/router/narrow.ts';
import { Empty } from '../../base/states/empty.tsx';
import { slice } from '../../data/live/state.ts';
import { mayCreateChannels } from '../../data/people/rights.ts';
import { followToChannel } from '../../data/topics/open-channel.ts';
import { channelsText } from '../../strings/channels.ts';
import { sidebarText } from '../../strings/shell.ts';
import { Membership } from '../actions/index.ts';
import { type Shown, listedChannels } from './listed.ts';

/** Kept while the page is open, so that coming back shows the same. */
const shown = signal<Shown>('all');

const rowPixels = 60;

/** Every channel that the reader may know of: to look into, to join and to leave. */
export function ChannelList() {
  const query = useSignal('');
  const scroller = useRef<HTMLDivElement>(null);
  const subscriptions = slice('subscriptions');
  const channels = listedChannels(slice('channels').values(), query.value, shown.value, (id) =>
    subscriptions.has(id),
  );
  return (
    <div class="channels-scroller" ref={scroller}>
      <header class="channels-head">
        <h1>{channelsText.title}</h1>
        {mayCreateChannels() && (
          <a class="button primary" href="#channels/new">
            <Plus class="small-icon" /> {channelsText.create}
          </a>
        )}
      </header>
      <div class="channels-filters" role="group" aria-label={channelsText.filters}>
        <FilterText label={channelsText.search} text={query.value} onText={(text) => (query.value = text)} />
        <FilterChoice
          label={channelsText.which}
          choices={channelsText.shown}
          chosen={shown.value}
          onChoose={(next) => (shown.value = next)}
        />
        <span class="dim" role="status">
          {channelsText.count(channels.length)}
        </span>
      </div>
      {channels.length === 0 && <Empty drawing="bubbles" text={channelsText.none} />}
      <Virtualizer scrollRef={scroller} as="ul" item="li" itemSize={rowPixels} startMargin={112}>
        {channels.map((channel) => (
          <Row key={channel.stream_id} channel={channel} />
        ))}
      </Virtualizer>
    </div>
  );
}

function Row({ channel }: { channel: ChannelWithSubscribers }) {
  const { stream_id: id, name, rendered_description, subscriber_count, invite_only } = channel;
  const subscription = slice('subscriptions').get(id);
  return (
    <div class="channels-row">
      <div class="channels-about">
        <p>
          <a href={`#channels/${id}`} dir="auto">
            <ChannelSign color={subscription?.color} />
            {name}
          </a>
          {invite_only && (
            <span class="dim" role="img" aria-label={sidebarText.private}>
              {' '}
              <Lock class="small-icon" />
            </span>
          )}
          <span class="dim"> {channelsText.subscribers(subscriber_count)}</span>
        </p>
        <p class="dim" dir="auto">
          {plainText(rendered_description)}
        </p>
      </div>
      <a
        class="button quiet"
        href={toChannel(id, name)}
        aria-label={channelsText.viewOf(name)}
        onClick={(event) => followToChannel(event, id)}
      >
        {channelsText.view}
      </a>
      <Membership channel={channel} />
    </div>
  );
}
