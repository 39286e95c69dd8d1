import type { ChannelWithSubscribers } from '@parley/client';
import { signal, useSignal } from '@preact/signals';
import { Lock, Plus } from 'lucide-preact';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { FilterChoice, FilterText } from '../../base/forms/filter-fields.tsx';
import { plainText } from '../../base/html/html-policy.ts';
import { useCommand } from '../../base/keys/commands.ts';
import { useWalk } from '../../base/keys/walk.ts';
import { go } from '../../base/router/fragment.ts';
import { toChannel } from '../../base/router/narrow.ts';
import { Empty } from '../../base/states/empty.tsx';
import { slice } from '../../data/live/state.ts';
import { mayCreateChannels } from '../../data/people/rights.ts';
import { followToChannel, openChannel } from '../../data/topics/open-channel.ts';
import { channelsText } from '../../strings/channels.ts';
import { sidebarText } from '../../strings/shell.ts';
import { Membership } from '../actions/index.ts';
import { type Shown, listedChannels } from './listed.ts';

/** Kept while the page is open, so that coming back shows the same. */
const shown = signal<Shown>('all');

const rowPixels = 60;

const choices = ['all', 'subscribed', 'others'] as const satisfies readonly Shown[];

/** Handles the keys that walk through the list, and what is done with the channel where one is; returns how to be at one. */
function useListKeys(
  channels: readonly ChannelWithSubscribers[],
  scroller: RefObject<HTMLElement>,
  list: RefObject<VirtualizerHandle>,
): (id: number) => void {
  const rowOf = (id: number) => scroller.current?.querySelector(`[data-channel="${id}"]`);
  const walk = useWalk({ keys: channels.map(({ stream_id }) => stream_id), list, find: rowOf });
  const choose = (by: number) => {
    const next = choices[choices.indexOf(shown.value) + by];
    if (!next) return false;
    shown.value = next;
    walk.goTo(null);
    return true;
  };
  const ofRow = (act: (id: number) => void) => () => {
    const id = channels[walk.index()]?.stream_id;
    if (id !== undefined) act(id);
    return id !== undefined;
  };
  useCommand(
    'open',
    ofRow((id) => go(`#channels/${id}`)),
  );
  useCommand(
    'viewChannel',
    ofRow((id) => void openChannel(id)),
  );
  // It asks before it takes somebody out of a channel to which there is no way back.
  useCommand(
    'membership',
    ofRow((id) => rowOf(id)?.querySelector('button')?.click()),
  );
  useCommand('newChannel', () => {
    if (!mayCreateChannels()) return false;
    go('#channels/new');
    return true;
  });
  useCommand('previousChoice', () => choose(-1));
  useCommand('nextChoice', () => choose(1));
  return walk.goTo;
}

/** Every channel that the reader may know of: to look into, to join and to leave. */
export function ChannelList() {
  const query = useSignal('');
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const subscriptions = slice('subscriptions');
  const channels = listedChannels(slice('channels').values(), query.value, shown.value, (id) =>
    subscriptions.has(id),
  );
  const select = useListKeys(channels, scroller, list);
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
      <Virtualizer ref={list} scrollRef={scroller} as="ul" item="li" itemSize={rowPixels} startMargin={112}>
        {channels.map((channel) => (
          <Row key={channel.stream_id} channel={channel} onSelect={select} />
        ))}
      </Virtualizer>
    </div>
  );
}

interface RowProps {
  channel: ChannelWithSubscribers;
  readonly onSelect: (id: number) => void;
}

function Row({ channel, onSelect }: RowProps) {
  const { stream_id: id, name, rendered_description, subscriber_count, invite_only } = channel;
  const subscription = slice('subscriptions').get(id);
  return (
    <div class="channels-row" data-channel={id} onFocusIn={() => onSelect(id)}>
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
