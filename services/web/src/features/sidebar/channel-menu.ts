import type { Item } from '../../base/dialogs/menu.tsx';
import { go } from '../../base/router/fragment.ts';
import {
  beginTopic,
  linkToChannel,
  markChannelRead,
  questionBeforeLeaving,
  setSubscription,
  subscribe,
  unsubscribe,
} from '../../data/actions/channel-verbs.ts';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import { attempt, copy } from '../../data/actions/verbs.ts';
import { peek } from '../../data/live/state.ts';
import { channelMenuText } from '../../strings/channels.ts';

/** Returns the items of a channel's menu. */
export function channelItems(id: number): Item[] {
  const subscription = peek().subscriptions.get(id);
  const channel = subscription ?? peek().channels.get(id);
  if (!channel) return [];
  const { name } = channel;
  const set = (property: string, value: unknown) => () => attempt(setSubscription(id, property, value));
  const settings = { name: channelMenuText.settings, act: () => go(`channels/${id}`) };
  const topics = { name: channelMenuText.topics, act: () => go(`channels/${id}/topics`) };
  const link = { name: channelMenuText.copyLink, act: () => copy(linkToChannel(id, name)) };
  if (!subscription) {
    return [{ name: channelMenuText.subscribe, act: () => attempt(subscribe(name)) }, link, settings];
  }
  const { is_muted, pin_to_top } = subscription;
  const leave = () => {
    const question = questionBeforeLeaving(channel);
    // oxlint-disable-next-line no-alert
    if (question !== undefined && !globalThis.confirm(question)) return;
    attempt(unsubscribe(name), channelMenuText.left(name));
  };
  return [
    ...(peek().unread.inChannels.has(id)
      ? [{ name: channelMenuText.markRead, act: () => attempt(markChannelRead(id)) }]
      : []),
    { name: channelMenuText.newTopic, act: () => beginTopic(id) },
    { name: is_muted ? channelMenuText.unmute : channelMenuText.mute, act: set('is_muted', !is_muted) },
    { name: pin_to_top ? channelMenuText.unpin : channelMenuText.pin, act: set('pin_to_top', !pin_to_top) },
    { name: channelMenuText.color, act: () => showDialog({ kind: 'color', channelId: id }) },
    link,
    topics,
    settings,
    { name: channelMenuText.leave, act: leave },
  ];
}
