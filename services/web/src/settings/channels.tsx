import type { Subscription } from '@parley/client';
import { useSignal } from '@preact/signals';

import { ActButton } from '../forms/act-button.tsx';
import { part } from '../live/state.ts';
import { toChannel } from '../router/narrow.ts';
import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';

/** The channels that one is in, and those that one may join. */
export function Channels() {
  const query = useSignal('');
  const matches = ({ name, is_archived }: { name: string; is_archived: boolean }) =>
    !is_archived && name.toLowerCase().includes(query.value.toLowerCase());
  const subscriptions = sorted([...part('subscriptions').values()].filter(matches));
  const others = sorted(
    [...part('unsubscribed').values(), ...part('neverSubscribed').values()].filter(matches),
  );
  return (
    <>
      <label>
        Search{' '}
        <input
          type="search"
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
        />
      </label>
      <h2>Channels that you are in</h2>
      <div class="table-scroll">
        <table class="table">
          <thead>
            <tr>
              <th>Channel</th>
              <th>Color</th>
              <th>Pinned</th>
              <th>Muted</th>
              <th>Notify</th>
              <th>
                <span class="visually-hidden">Leave</span>
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
      <h2>Other channels</h2>
      {others.length === 0 && <p class="dim">There are no others.</p>}
      <ul class="plain-list">
        {others.map(({ stream_id: id, name, description, subscriber_count }) => (
          <li key={id}>
            <a href={toChannel(id, name)}>#{name}</a> <span class="dim">{description}</span>{' '}
            <span class="dim">({subscriber_count})</span>{' '}
            <ActButton act={() => join(name)} label={`Join ${name}`}>
              Join
            </ActButton>
          </li>
        ))}
      </ul>
    </>
  );
}

const sorted = <One extends { name: string }>(channels: One[]): One[] =>
  channels.sort((a, b) => a.name.localeCompare(b.name));

const join = (name: string) => connection().post('/users/me/subscriptions', { subscriptions: [{ name }] });

const set = (stream_id: number, property: string, value: unknown) =>
  connection().post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id, property, value }],
  });

function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { stream_id: id, name, color, pin_to_top, is_muted, desktop_notifications } = subscription;
  const box = (label: string, property: string, checked: boolean) => (
    <input
      type="checkbox"
      aria-label={`${label} ${name}`}
      checked={checked}
      onChange={({ currentTarget }) => {
        set(id, property, currentTarget.checked).catch((error: unknown) => {
          currentTarget.checked = checked;
          tellError(error);
        });
      }}
    />
  );
  return (
    <tr>
      <th scope="row">
        <a href={toChannel(id, name)}>#{name}</a>
      </th>
      <td>
        <input
          type="color"
          aria-label={`Color of ${name}`}
          value={color}
          onChange={({ currentTarget }) => void set(id, 'color', currentTarget.value).catch(tellError)}
        />
      </td>
      <td>{box('Pin', 'pin_to_top', pin_to_top)}</td>
      <td>{box('Mute', 'is_muted', is_muted)}</td>
      <td>
        <select
          aria-label={`Desktop notifications of ${name}`}
          onChange={({ currentTarget }) =>
            void set(id, 'desktop_notifications', notifying[currentTarget.selectedIndex]?.[0] ?? null).catch(
              tellError,
            )
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
        <ActButton
          act={() => connection().delete('/users/me/subscriptions', { subscriptions: [name] })}
          label={`Leave ${name}`}
        >
          Leave
        </ActButton>
      </td>
    </tr>
  );
}

const notifying = [
  [null, 'As all'],
  [true, 'Always'],
  [false, 'Never'],
] as const;
