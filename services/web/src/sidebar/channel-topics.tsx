import { inTopic } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { client } from '../live/follow.ts';
import { part } from '../live/state.ts';
import { useFragment } from '../router/fragment.ts';
import { readNarrow, toTopic, topicOf } from '../router/narrow.ts';
import { connection } from '../session/session.ts';
import { tellError } from '../shell/toasts.tsx';
import { UnreadCount } from './unread-count.tsx';

interface Topic {
  name: string;
  max_id: number;
}

const shownMax = 12;

/** The topics of a channel that were written in last. */
export function ChannelTopics({ id, name }: { id: number; name: string }) {
  const topics = useSignal<readonly Topic[]>([]);
  const narrow = readNarrow(useFragment());
  const shown = narrow && topicOf(narrow);
  const unread = part('unread');
  useEffect(() => {
    const load = () => {
      connection()
        .get<{ topics: Topic[] }>(`/users/me/${id}/topics`, { allow_empty_topic_name: true })
        .then((reply) => (topics.value = reply.topics))
        .catch(tellError);
    };
    load();
    return client()?.subscribe(({ changes, isNew }) => {
      if (isNew || changes.messages.size > 0) load();
    });
  }, [id]);
  return (
    <ul class="sidebar-topics">
      {topics.value.slice(0, shownMax).map((topic) => (
        <li key={topic.name}>
          <a href={toTopic(id, name, topic.name)} aria-current={shown === topic.name ? 'page' : undefined}>
            <span class="sidebar-name">{topic.name || <em>general chat</em>}</span>
            <UnreadCount count={unread.at.get(inTopic(id, topic.name))?.size ?? 0} />
          </a>
        </li>
      ))}
    </ul>
  );
}
