import type { Subscription } from '@parley/client';

import { ActButton } from '../../base/forms/act-button.tsx';
import { questionBeforeLeaving, subscribe, unsubscribe } from '../../data/actions/channel-verbs.ts';
import { slice } from '../../data/live/state.ts';
import { subscriptionText } from '../../strings/channels.ts';

/** Joins a channel, or leaves it. */
export function Membership({
  channel,
}: {
  channel: Pick<Subscription, 'stream_id' | 'name' | 'invite_only'>;
}) {
  const { stream_id, name } = channel;
  return slice('subscriptions').has(stream_id) ? (
    <ActButton
      act={() => unsubscribe(name)}
      confirm={questionBeforeLeaving(channel)}
      label={subscriptionText.leaveChannel(name)}
    >
      {subscriptionText.leave}
    </ActButton>
  ) : (
    <ActButton class="primary" act={() => subscribe(name)} label={subscriptionText.joinChannel(name)}>
      {subscriptionText.join}
    </ActButton>
  );
}
