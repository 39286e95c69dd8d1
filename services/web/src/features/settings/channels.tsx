import type { Subscription } from '@parley/client';
import { useSignal } from '@preact/signals';

import { FilterText } from '../../base/forms/filter-fields.tsx';
import { plainText } from '../../base/html/html-policy.ts';
import { toChannel } from '../../base/router/narrow.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { setSubscription } from '../../data/actions/channel-verbs.ts';
import { slice } from '../../data/live/state.ts';
import { followToChannel } from '../../data/topics/open-channel.ts';
import { subscriptionText } from '../../strings/channels.ts';
import { commonText } from '../../strings/common.ts';
import { Membership } from '../actions/index.ts';

/** The channels that one is in, and those that one may join. */
export function Channels() {
  const query = useSignal('');
  const matches = ({ name, is_archived }: { name: string; is_archived: boolean }) =>
    !is_archived && name.toLowerCase().includes(query.value.toLowerCase());
  const subscriptions = sorted([...slice('subscriptions').values()].filter(matches));
  const others = sorted(
    [...slice('unsubscribed').values(), ...slice('neverSubscribed').values()].filter(matches),
  );
  return (
    <>
      <FilterText label={commonText.search} text={query.value} onText={(text) => (query.value = text)} />
      <h2>{subscriptionText.subscribed}</h2>
      <div class="table-scroll">
        <table class="table">
          <thead>
            <tr>
              <th>{commonText.channel}</th>
              <th>{subscriptionText.color}</th>
              <th>{subscriptionText.pinned}</th>
              <th>{subscriptionText.muted}</th>
              <th>{subscriptionText.notifications}</th>
              <th>
                <span class="visually-hidden">{subscriptionText.leave}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {subscriptions.map((subscription) => (
              <SubscriptionRow key={subscription.stream_id} subscription={subscription} />
            ))}
          </tbody>
        </table>
      </div>
      <h2>{subscriptionText.others}</h2>
      {others.length === 0 && <p class="dim">{subscriptionText.noOthers}</p>}
      <ul class="plain-list">
        {others.map((channel) => (
          <li key={channel.stream_id}>
            <ChannelLink channel={channel} />{' '}
            <span class="dim">{plainText(channel.rendered_description)}</span>{' '}
            <span class="dim">{subscriptionText.subscribers(channel.subscriber_count)}</span>{' '}
            <Membership channel={channel} />
          </li>
        ))}
      </ul>
    </>
  );
}

const sorted = <One extends { name: string }>(channels: One[]): One[] =>
  channels.sort((a, b) => a.name.localeCompare(b.name));

const ChannelLink = ({
  channel: { stream_id: id, name },
}: {
  channel: Pick<Subscription, 'stream_id' | 'name'>;
}) => (
  <a href={toChannel(id, name)} onClick={(event) => followToChannel(event, id)}>
    #{name}
  </a>
);

function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { stream_id: id, name, color, pin_to_top, is_muted, desktop_notifications } = subscription;
  const box = (label: string, property: string, checked: boolean) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      onChange={({ currentTarget }) => {
        setSubscription(id, property, currentTarget.checked).catch((error: unknown) => {
          currentTarget.checked = checked;
          showError(error);
        });
      }}
    />
  );
  return (
    <tr>
      <th scope="row">
        <ChannelLink channel={subscription} />
      </th>
      <td>
        <input
          type="color"
          aria-label={subscriptionText.colorOf(name)}
          value={color}
          onChange={({ currentTarget }) =>
            void setSubscription(id, 'color', currentTarget.value).catch(showError)
          }
        />
      </td>
      <td>{box(subscriptionText.pin(name), 'pin_to_top', pin_to_top)}</td>
      <td>{box(subscriptionText.mute(name), 'is_muted', is_muted)}</td>
      <td>
        <select
          aria-label={subscriptionText.notificationsOf(name)}
          onChange={({ currentTarget }) =>
            void setSubscription(
              id,
              'desktop_notifications',
              notifying[currentTarget.selectedIndex]?.[0] ?? null,
            ).catch(showError)
          }
        >
          {notifying.map(([value, text]) => (
            <option key={text} selected={value === (desktop_notifications ?? null)}>
              {text}
            </option>
          ))}
        </select>
      </td>
      <td>
        <Membership channel={subscription} />
      </td>
    </tr>
  );
}

const notifying = [
  [null, subscriptionText.default],
  [true, subscriptionText.always],
  [false, subscriptionText.never],
] as const;
