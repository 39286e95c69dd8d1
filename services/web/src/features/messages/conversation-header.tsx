import { type Match, type Message, peopleOf, placeOf } from '@parley/client';
import { ExternalLink } from 'lucide-preact';

import { ChannelSign } from '../../base/channels/channel-sign.tsx';
import { toChannel } from '../../base/router/narrow.ts';
import { slice, peek } from '../../data/live/state.ts';
import { conversationOf } from '../../data/places/links.ts';
import { namesOf, topicName } from '../../data/places/title.ts';
import { TopicActions } from '../actions/index.ts';
import { Html } from '../content/index.ts';

/** Shows the conversation of the messages below, in a list of several conversations. */
export function ConversationHeader({ message, match }: { message: Message; match: Match | undefined }) {
  const { stream_id: id, subject } = message;
  if (id === undefined) {
    const others = peopleOf(placeOf(message, peek().own.user_id)) ?? [];
    return (
      <h2 class="conversation-header">
        <a href={conversationOf(message)} dir="auto">
          {namesOf(others)}
        </a>
      </h2>
    );
  }
  const channel = slice('subscriptions').get(id) ?? slice('channels').get(id);
  return (
    <div class="conversation-header">
      <h2>
        <a href={toChannel(id, channel?.name ?? '')} dir="auto">
          <ChannelSign color={slice('subscriptions').get(id)?.color} />
          {channel?.name ?? id}
        </a>
        <span aria-hidden="true"> › </span>
        <a href={conversationOf(message)} dir="auto">
          {match && subject !== '' ? <Html class="matched-topic" html={match.subject} /> : topicName(subject)}
        </a>
      </h2>
      {message.topic_links.map(({ url, text }) => (
        <a key={url} href={url} target="_blank" rel="noopener noreferrer" title={text}>
          <ExternalLink class="small-icon" />
          <span class="visually-hidden">{text}</span>
        </a>
      ))}
      <TopicActions stream={id} topic={subject} />
    </div>
  );
}
