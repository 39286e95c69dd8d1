import type { ChannelWithSubscribers } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';

import { ActButton } from '../../base/forms/act-button.tsx';
import { FilterText } from '../../base/forms/filter-fields.tsx';
import { addToChannel, questionBeforeLeaving, removeFromChannel } from '../../data/actions/channel-verbs.ts';
import { own, slice } from '../../data/live/state.ts';
import { matchPeople } from '../../data/people/order.ts';
import { isGranted, may, mayAdministerChannel } from '../../data/people/rights.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { channelsText } from '../../strings/channels.ts';
import { commonText } from '../../strings/common.ts';
import { Avatar } from '../avatars/index.ts';

const rowPixels = 36;

/** The most people who are offered to be added. */
const offeredMax = 10;

/** Who is in a channel. Whoever searches finds others as well, and may add them. */
export function Subscribers({ channel }: { channel: ChannelWithSubscribers }) {
  const query = useSignal('');
  const scroller = useRef<HTMLDivElement>(null);
  const { stream_id: id, name } = channel;
  const members = (slice('subscriptions').get(id) ?? channel).subscribers;
  const matching = matchPeople([...slice('users').values()], query.value).sort((a, b) =>
    a.full_name.localeCompare(b.full_name),
  );
  const inside = matching.filter(({ user_id }) => members?.has(user_id));
  const outside = matching.filter(({ user_id }) => members && !members.has(user_id)).slice(0, offeredMax);
  const mayAdd =
    may('can_add_subscribers_group') ||
    isGranted(channel.can_add_subscribers_group) ||
    mayAdministerChannel(channel);
  const mayRemove = isGranted(channel.can_remove_subscribers_group) || mayAdministerChannel(channel);
  if (!members) return null;
  return (
    <section class="channels-subscribers">
      <h2>{channelsText.subscribers(members.size)}</h2>
      <FilterText
        label={mayAdd ? channelsText.searchOrAdd : channelsText.searchSubscribers}
        text={query.value}
        onText={(text) => (query.value = text)}
      />
      <div
        class="channels-people"
        ref={scroller}
        // What scrolls is reached by keys too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={channelsText.subscribers(members.size)}
      >
        <Virtualizer scrollRef={scroller} as="ul" item="li" itemSize={rowPixels}>
          {inside.map(({ user_id, full_name }) => (
            <Row key={user_id} id={user_id} name={full_name}>
              {(mayRemove || user_id === own('user_id')) && (
                <ActButton
                  act={() => removeFromChannel(name, user_id)}
                  confirm={user_id === own('user_id') ? questionBeforeLeaving(channel) : undefined}
                  label={channelsText.removeFrom(full_name, name)}
                >
                  {commonText.remove}
                </ActButton>
              )}
            </Row>
          ))}
        </Virtualizer>
      </div>
      {query.value.trim() !== '' && mayAdd && outside.length > 0 && (
        <>
          <h3>{channelsText.notSubscribed}</h3>
          <ul class="plain-list">
            {outside.map(({ user_id, full_name }) => (
              <li key={user_id}>
                <Row id={user_id} name={full_name}>
                  <ActButton
                    act={() => addToChannel(name, user_id)}
                    label={channelsText.addTo(full_name, name)}
                  >
                    {commonText.add}
                  </ActButton>
                </Row>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const Row = ({ id, name, children }: { id: number; name: string; children: preact.ComponentChildren }) => (
  <div class="channels-person">
    <Avatar id={id} size={20} hasPresence />
    <button
      type="button"
      class="sender-name"
      dir="auto"
      onClick={({ currentTarget }) => showProfile(id, currentTarget)}
    >
      {name}
    </button>
    {children}
  </div>
);
