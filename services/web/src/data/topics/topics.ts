import type { Message } from '@parley/client';
import { type Signal, signal } from '@preact/signals';

import { once } from '../../base/functions/once.ts';
import { client } from '../live/follow.ts';
import { peek } from '../live/state.ts';
import { connection } from '../session/session.ts';

export interface Topic {
  name: string;
  /** Its newest message. */
  max_id: number;
}

const known = new Map<number, Signal<readonly Topic[] | null>>();

/** The topics of a channel, the one written to last first; null before they are there. They are kept true. */
export function topicsOf(channelId: number): Signal<readonly Topic[] | null> {
  let topics = known.get(channelId);
  if (topics) return topics;
  topics = signal(null);
  known.set(channelId, topics);
  listen();
  void load(channelId);
  return topics;
}

async function load(channelId: number): Promise<void> {
  const topics = known.get(channelId);
  if (!topics) return;
  try {
    topics.value = await request(channelId);
  } catch {
    // They are asked for again when somebody opens them.
    known.delete(channelId);
  }
}

/** @throws RequestFailed or Unreachable */
async function request(channelId: number): Promise<readonly Topic[]> {
  const params = { allow_empty_topic_name: true };
  return (await connection().get<{ topics: Topic[] }>(`/users/me/${channelId}/topics`, params)).topics;
}

/**
 * The topics of a channel as soon as they are known, the one written to last first.
 * @throws RequestFailed or Unreachable
 */
export const currentTopics = async (channelId: number): Promise<readonly Topic[]> =>
  known.get(channelId)?.peek() ?? (await request(channelId));

const listen = once(() => {
  client()?.subscribe(({ changes, isNew }) => {
    if (isNew) {
      for (const channelId of known.keys()) void load(channelId);
      return;
    }
    const stale = new Set<number>();
    const { messages } = peek();
    for (const id of changes.messages) {
      const message = messages.get(id);
      if (message?.stream_id === undefined) {
        // A deleted message may have been the last of a topic.
        if (!message) for (const channelId of known.keys()) if (isNewest(channelId, id)) stale.add(channelId);
      } else if (message.last_moved_timestamp === undefined && !isElsewhere(message))
        recordMessage(message.stream_id, message.subject, id);
      else stale.add(message.stream_id);
    }
    for (const place of changes.questions.moved.values()) {
      const channelId = /^channel (\d+),/.exec(place)?.[1];
      if (channelId !== undefined) stale.add(Number(channelId));
    }
    // A topic that left its channel is missed there too.
    for (const channelId of stale.size > 0 ? known.keys() : []) void load(channelId);
  });
});

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether a message is the newest of a topic that it has left, as when that was resolved. */
const isElsewhere = ({ id, stream_id = 0, subject }: Message): boolean =>
  known
    .get(stream_id)
    ?.peek()
    ?.some((topic) => topic.max_id === id && !isSame(topic.name, subject)) ?? false;

/** The newest message of a topic, as far as the topics of its channel are loaded. */
export const newestKnown = (channelId: number, name: string): number | undefined =>
  known
    .get(channelId)
    ?.peek()
    ?.find((topic) => isSame(topic.name, name))?.max_id;

const isNewest = (channelId: number, id: number) =>
  known
    .get(channelId)
    ?.peek()
    ?.some((topic) => topic.max_id === id) ?? false;

/** Records that a message is in a topic. */
function recordMessage(channelId: number, name: string, id: number): void {
  const topics = known.get(channelId);
  const all = topics?.peek();
  if (!topics || !all) return;
  const is = (topic: Topic) => isSame(topic.name, name);
  const before = all.find(is);
  if (before && before.max_id >= id) return;
  topics.value = [{ name: before?.name ?? name, max_id: id }, ...all.filter((topic) => !is(topic))];
}
