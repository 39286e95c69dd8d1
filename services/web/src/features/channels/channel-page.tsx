import type { ChannelWithSubscribers } from '@parley/client';
import { Suspense, lazy } from 'preact/compat';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { SettingFields } from '../../base/forms/setting-fields.tsx';
import { choice, toggle } from '../../base/forms/setting-row.ts';
import { toChannel } from '../../base/router/narrow.ts';
import { useViewTitle } from '../../base/router/view-title.ts';
import { Empty } from '../../base/states/empty.tsx';
import { Skeleton } from '../../base/states/skeleton.tsx';
import { setSubscription } from '../../data/actions/channel-verbs.ts';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import { slice } from '../../data/live/state.ts';
import { mayAdministerChannel } from '../../data/people/rights.ts';
import { followToChannel } from '../../data/topics/open-channel.ts';
import { channelMenuText, channelsText, subscriptionText, topicsText } from '../../strings/channels.ts';
import { Membership } from '../actions/index.ts';
import { Html } from '../content/index.ts';
import { Crumbs } from './crumbs.tsx';
import { Subscribers } from './subscribers.tsx';

const ChannelForm = lazy(async () => ({
  default: (await import('../administration/index.ts')).ChannelForm,
}));

/** A channel: what the reader has set for it, who is in it, and its settings for whoever may change them. */
export function ChannelPage({ id }: { id: number }) {
  const channel = slice('channels').get(id);
  useViewTitle(channel ? channelsText.pageTitle(channel.name) : channelsText.title);
  if (!channel) {
    return (
      <Empty drawing="bubbles" text={channelsText.gone}>
        <a class="button" href="#channels">
          {channelsText.browse}
        </a>
      </Empty>
    );
  }
  return (
    <div class="channels-scroller">
      <Head channel={channel} />
      <Own id={id} />
      <Subscribers channel={channel} />
      {mayAdministerChannel(channel) && (
        <details class="channels-settings">
          <summary>{channelMenuText.settings}</summary>
          <Suspense fallback={<Skeleton />}>
            <ChannelForm channel={channel} />
          </Suspense>
        </details>
      )}
    </div>
  );
}

function Head({ channel }: { channel: ChannelWithSubscribers }) {
  const { stream_id: id, name, rendered_description } = channel;
  const subscription = slice('subscriptions').get(id);
  return (
    <>
      <header class="channels-head">
        <Crumbs>
          <ChannelSign color={subscription?.color} />
          {name}
        </Crumbs>
        <span class="row-actions">
          <a class="button" href={toChannel(id, name)} onClick={(event) => followToChannel(event, id)}>
            {channelsText.view}
          </a>
          <a class="button" href={`#channels/${id}/topics`}>
            {topicsText.topics}
          </a>
          <Membership channel={channel} />
        </span>
      </header>
      {rendered_description !== '' && <Html class="channels-description" html={rendered_description} />}
    </>
  );
}

const notifying = [
  [null, subscriptionText.default],
  [true, subscriptionText.always],
  [false, subscriptionText.never],
] as const;

const rows = [
  toggle('is_muted', channelsText.muted),
  toggle('pin_to_top', channelsText.pinned),
  choice('desktop_notifications', channelsText.desktop, notifying),
  choice('audible_notifications', channelsText.sounds, notifying),
  choice('push_notifications', channelsText.push, notifying),
  choice('email_notifications', channelsText.emails, notifying),
  choice('wildcard_mentions_notify', channelsText.wildcards, notifying),
] as const;

/** What the reader has set for a channel that they are in. */
function Own({ id }: { id: number }) {
  const subscription = slice('subscriptions').get(id);
  if (!subscription) return null;
  return (
    <>
      <SettingFields
        title={channelsText.own}
        rows={rows}
        read={(name) => subscription[name] ?? null}
        save={(name, value) => setSubscription(id, name, value)}
      />
      <p>
        <button type="button" onClick={() => showDialog({ kind: 'color', channelId: id })}>
          <ChannelSign color={subscription.color} /> {channelMenuText.color}
        </button>
      </p>
    </>
  );
}
