import { type Message, type State, topicKey } from '@parley/client';

/** How somebody is notified of a message: on the desktop, or by a sound. */
export type Way = 'desktop' | 'audible';

/** Returns whether the settings ask for a notification of a message that has just come. */
export function isNotified(
  message: Message,
  { own, subscriptions, topics }: Pick<State, 'own' | 'subscriptions' | 'topics'>,
  way: Way,
): boolean {
  const { flags, sender_id, stream_id, subject } = message;
  if (sender_id === own.user_id || flags.includes('read')) return false;
  const { user_settings: settings } = own;
  const wantsAny = settings[way === 'desktop' ? 'enable_desktop_notifications' : 'enable_sounds'] === true;
  const isForReader =
    stream_id === undefined || flags.includes('mentioned') || flags.includes('has_alert_word');
  if (isForReader) return wantsAny;

  const channel = subscriptions.get(stream_id);
  const policy = topics.get(topicKey(stream_id, subject))?.visibility_policy ?? 0;
  const isMuted = policy === 1 || (policy === 0 && channel?.is_muted === true);
  if (!channel || isMuted) return false;
  const isFollowed = policy === 3;
  if (flags.includes('wildcard_mentioned')) {
    const isWanted = isFollowed && settings['enable_followed_topic_wildcard_mentions_notify'] === true;
    if (isWanted || (channel.wildcard_mentions_notify ?? settings['wildcard_mentions_notify']))
      return wantsAny;
  }
  if (isFollowed && settings[`enable_followed_topic_${way}_notifications`] === true) return true;
  return (channel[`${way}_notifications`] ?? settings[`enable_stream_${way}_notifications`]) === true;
}
