import type { ChannelWithSubscribers } from '@parley/client';
import { useSignal } from '@preact/signals';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { FilterText } from '../../base/forms/filter-fields.tsx';
import { slice } from '../../data/live/state.ts';
import { mayAdministerChannel } from '../../data/people/rights.ts';
import { channelPrivacyText, channelText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';
import { ChannelForm } from './channel-form.tsx';
import { Folders } from './folders.tsx';
import { NewChannel } from './new-channel.tsx';

/** The channels of the organization, and a new one. */
export function Channels() {
  const edited = useSignal<number | null>(null);
  const query = useSignal('');
  const channels = [...slice('channels').values()]
    .filter(({ name }) => name.toLowerCase().includes(query.value.toLowerCase()))
    .sort((a, b) => Number(a.is_archived) - Number(b.is_archived) || a.name.localeCompare(b.name));
  const channel = edited.value === null ? undefined : slice('channels').get(edited.value);
  return (
    <>
      <NewChannel />
      <Folders />
      <h2>{channelText.all}</h2>
      <FilterText
        label={channelText.search}
        placeholder={commonText.search}
        text={query.value}
        onText={(text) => (query.value = text)}
      />
      <ul class="plain-list">
        {channels.map((one) => (
          <li key={one.stream_id}>
            {mayAdministerChannel(one) ? (
              <button type="button" class="icon-button" onClick={() => (edited.value = one.stream_id)}>
                #{one.name}
              </button>
            ) : (
              `#${one.name}`
            )}{' '}
            <span class="dim">{summaryOf(one)}</span>
          </li>
        ))}
      </ul>
      {channel && (
        <Dialog title={`#${channel.name}`} onClose={() => (edited.value = null)}>
          <ChannelForm key={channel.stream_id} channel={channel} />
        </Dialog>
      )}
    </>
  );
}

const privacyName = ({ invite_only, is_web_public }: ChannelWithSubscribers) =>
  is_web_public ? channelPrivacyText.webShort : invite_only ? channelText.private : channelPrivacyText.public;

function summaryOf(channel: ChannelWithSubscribers): string {
  const summary = channelText.summary(privacyName(channel), channel.subscriber_count);
  return channel.is_archived ? channelText.archivedSummary(summary) : summary;
}
