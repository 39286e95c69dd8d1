import { amongPeople, inTopic, isPlaceFollowed } from '@parley/client';
import { useComputed, useSignal } from '@preact/signals';
import { Compass, Plus } from 'lucide-preact';
import { useRef } from 'preact/hooks';

import { FilterText } from '../../base/forms/filter-fields.tsx';
import { useCommand } from '../../base/keys/commands.ts';
import { go, useFragment } from '../../base/router/fragment.ts';
import { channelOf, peopleOf, readNarrow, topicOf } from '../../base/router/narrow.ts';
import { showToast } from '../../base/toasts/toasts.tsx';
import { own, slice, peek, userSetting } from '../../data/live/state.ts';
import { mayCreateChannels } from '../../data/people/rights.ts';
import { isSpectator } from '../../data/session/session.ts';
import { openChannel } from '../../data/topics/open-channel.ts';
import { counts } from '../../data/unread/counts.ts';
import { channelsText } from '../../strings/channels.ts';
import { sidebarText } from '../../strings/shell.ts';
import { ChannelRow } from './channel-row.tsx';
import { Directs } from './directs.tsx';
import { nextUnreadDirect, nextUnreadTopic } from './next-unread.ts';
import { SidebarSection } from './section.tsx';

import './sidebar.css';
import { type Folder, type Section, sectionsOf } from './sections.ts';
import { Views } from './views.tsx';

/** Views, direct conversations and channels, with what is unread in each. */
export function Sidebar() {
  const filter = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  const sections = useComputed(() => {
    const folders = userSetting('web_left_sidebar_show_channel_folders') === false ? [] : foldersNow();
    return sectionsOf(channelsNow(), folders);
  }).value;
  useCommand('sidebar', () => field.current?.focus());
  useNextUnread(sections);
  const wanted = filter.value.trim().toLowerCase();
  return (
    <div class="sidebar">
      <FilterText
        field={field}
        class="sidebar-filter"
        label={sidebarText.search}
        placeholder={`${sidebarText.searchPlaceholder}  q`}
        text={filter.value}
        onText={(text) => (filter.value = text)}
      />
      {wanted === '' && <Views />}
      {!isSpectator() && <Directs filter={wanted} />}
      <Channels sections={sections} filter={wanted} />
      {!isSpectator() && <MoreChannels />}
    </div>
  );
}

const channelsNow = () =>
  // Spectators are subscribed to nothing: what is open to them is all there is.
  isSpectator()
    ? [...slice('channels').values()].map((channel) => ({ ...noSubscription, ...channel }))
    : slice('subscriptions').values();

const noSubscription = {
  color: '',
  is_muted: false,
  pin_to_top: false,
} as ReturnType<typeof peek>['subscriptions'] extends Map<number, infer One> ? One : never;

const foldersNow = () => (own('channel_folders') ?? []) as unknown as Folder[];

function Channels({ sections, filter }: { sections: readonly Section[]; filter: string }) {
  const narrow = readNarrow(useFragment());
  const shown = narrow && channelOf(narrow);
  const topic = narrow && topicOf(narrow);
  return (
    <>
      {sections.map(({ key, title, channels }) => {
        const matching = channels.filter(({ name }) => name.toLowerCase().includes(filter));
        if (matching.length === 0) return null;
        return (
          <SidebarSection
            key={key}
            name={key}
            title={title}
            count={countIn(channels)}
            isForced={filter !== ''}
          >
            <ul>
              {matching.map((channel) => {
                const isShown = channel.stream_id === shown;
                return (
                  <ChannelRow
                    key={channel.stream_id}
                    channel={channel}
                    isShown={isShown}
                    isWhole={isShown && topic === null}
                  />
                );
              })}
            </ul>
          </SidebarSection>
        );
      })}
      {sections.length === 0 && <p class="sidebar-note dim">{sidebarText.noChannels}</p>}
    </>
  );
}

const countIn = (channels: Section['channels']) =>
  channels.reduce((sum, { stream_id }) => sum + (counts.value.channels.get(stream_id)?.count ?? 0), 0);

/** Where one finds the channels that one is not in, and makes new ones. */
const MoreChannels = () => (
  <ul class="sidebar-views sidebar-end">
    <li>
      <a href="#channels">
        <Compass />
        <span class="sidebar-name">{channelsText.browse}</span>
      </a>
    </li>
    {mayCreateChannels() && (
      <li>
        <a href="#channels/new">
          <Plus />
          <span class="sidebar-name">{channelsText.create}</span>
        </a>
      </li>
    )}
  </ul>
);

/** Handles the keys that lead to what is unread, and from channel to channel. */
function useNextUnread(sections: readonly Section[]): void {
  const narrow = readNarrow(useFragment());
  const place = () => {
    if (!narrow) return null;
    const [channel, topic, people] = [channelOf(narrow), topicOf(narrow), peopleOf(narrow)];
    if (people) return amongPeople(people.filter((id) => id !== peek().own.user_id));
    return channel === null || topic === null ? null : inTopic(channel, topic);
  };
  const show = (next: string | null, otherwise: string) => {
    if (next === null) showToast(otherwise);
    else go(next);
  };
  const channels = () => sections.flatMap((section) => section.channels.map(({ stream_id }) => stream_id));
  useCommand('nextTopic', () =>
    show(nextUnreadTopic(peek(), channels(), place()), sidebarText.noUnreadTopic),
  );
  useCommand('nextFollowed', () =>
    show(
      nextUnreadTopic(peek(), channels(), place(), (one) => isPlaceFollowed(peek(), one)),
      sidebarText.noUnreadFollowed,
    ),
  );
  const step = (by: 1 | -1) => () => {
    const all = channels();
    const at = narrow ? all.indexOf(channelOf(narrow) ?? 0) : -1;
    const next = at === -1 ? all.at(by === 1 ? 0 : -1) : all[(at + by + all.length) % all.length];
    if (next === undefined) return false;
    void openChannel(next);
    return true;
  };
  useCommand('nextChannel', step(1));
  useCommand('previousChannel', step(-1));
  useCommand('directs', () => (isSpectator() ? false : go('narrow/is/dm')));
  useCommand('nextDirect', () => show(nextUnreadDirect(peek(), place()), sidebarText.noUnreadDirect));
}
