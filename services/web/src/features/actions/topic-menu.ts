import { inTopic, setTopicPolicy, topicKey } from '@parley/client';

import type { Item } from '../../base/dialogs/menu.tsx';
import { toTopic } from '../../base/router/narrow.ts';
import { showDialog } from '../../data/actions/shown-dialog.ts';
import {
  attempt,
  copy,
  isResolved,
  markTopicRead,
  newestIn,
  toggleResolved,
} from '../../data/actions/verbs.ts';
import { peek } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { newestKnown } from '../../data/topics/topics.ts';
import { topicText } from '../../strings/actions.ts';
import { topicPolicyText } from '../../strings/common.ts';

/** Returns the items of a topic's menu. */
export function topicItems(stream: number, topic: string): Item[] {
  const policy = peek().topics.get(topicKey(stream, topic))?.visibility_policy ?? 0;
  const name = (peek().subscriptions.get(stream) ?? peek().channels.get(stream))?.name ?? '';
  const items: (Item | false)[] = [
    ...Object.entries(topicPolicyText).map(([value, text]) => ({
      name: text,
      isChosen: Number(value) === policy,
      act: () => attempt(setTopicPolicy(connection(), stream, topic, Number(value))),
    })),
    topic !== '' && {
      name: isResolved(topic) ? topicText.unresolve : topicText.resolve,
      act: () => attempt(toggleResolved(stream, topic)),
    },
    { name: topicText.move, act: () => attempt(move(stream, topic)) },
    peek().unread.at.has(inTopic(stream, topic)) && {
      name: topicText.markRead,
      act: () => markTopicRead(stream, topic),
    },
    {
      name: topicText.copyLink,
      act: () =>
        copy(`${peek().own.realm_url}/${toTopic(stream, name, topic, { with: newestKnown(stream, topic) })}`),
    },
  ];
  return items.filter((item) => item !== false);
}

async function move(stream: number, topic: string): Promise<void> {
  const id = await newestIn(stream, topic);
  showDialog({ kind: 'move', moved: { id, channelId: stream, topic, isWholeTopic: true } });
}
