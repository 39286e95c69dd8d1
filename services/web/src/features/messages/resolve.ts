import { type Message, RequestFailed } from '@parley/client';

import { isConversation } from '../../base/router/narrow-kind.ts';
import {
  type Narrow,
  channelOf,
  followedBy,
  narrowFragment,
  peopleOf,
  topicOf,
  withoutFollowed,
} from '../../base/router/narrow.ts';
import { peek } from '../../data/live/state.ts';
import { conversationOf } from '../../data/places/links.ts';
import { connection } from '../../data/session/session.ts';

/** Asks for one message. Null for one that the reader may not see, or that is gone. */
export async function findMessage(id: number, isFresh = false): Promise<Message | null> {
  const loaded = isFresh ? undefined : peek().messages.get(id);
  if (loaded) return loaded;
  type Reply = { message: Message & { display_recipient: string | { id: number }[] } };
  try {
    const params = { allow_empty_topic_name: true };
    const { message } = await connection().get<Reply>(`/messages/${id}`, params);
    const { display_recipient: people } = message;
    if (typeof people === 'string') return message;
    const ids = people.map((one) => one.id).sort((a, b) => a - b);
    return { ...message, people: ids.join(',') };
  } catch (error) {
    if (error instanceof RequestFailed && error.status < 500) return null;
    throw error;
  }
}

/** The message that says where a link leads: the one that it follows, or at which it begins. */
function namedBy(narrow: Narrow): number | null {
  const followed = followedBy(narrow);
  if (followed !== null) return followed;
  return narrow.terms.length > 0 && isConversation(narrow) ? narrow.near : null;
}

/**
 * Where a link leads now: the fragment of the conversation in which the message is that it names. Null where the link
 * is right as it is, or names no message that the reader may see.
 */
export async function resolveLink(narrow: Narrow): Promise<string | null> {
  const id = namedBy(narrow);
  if (id === null) return null;
  const shown = withoutFollowed(narrow);
  const message = await findMessage(id);
  if (!message) return shown.terms.length > 0 && followedBy(narrow) !== null ? narrowFragment(shown) : null;
  if (isIn(message, shown)) return null;
  // Conditions beside the conversation stay.
  const others = shown.terms.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator));
  const tail = narrowFragment({ terms: others, near: narrow.near }).slice('#narrow'.length);
  return `${conversationOf(message)}${tail}`;
}

/** Returns whether a link is known to be right without asking for the message that it names. */
export function isRight(narrow: Narrow): boolean {
  const id = namedBy(narrow);
  const message = id === null ? undefined : peek().messages.get(id);
  return message !== undefined && isIn(message, withoutFollowed(narrow));
}

/** Returns whether a message is in the conversation that a narrow is. */
export function isIn(message: Message, narrow: Narrow): boolean {
  const { own } = peek();
  const people = peopleOf(narrow);
  if (people) {
    const others = (ids: readonly number[]) => ids.filter((id) => id !== own.user_id).join(',');
    return (
      message.people !== undefined &&
      others(message.people.split(',').map(Number)) === others(people.toSorted((a, b) => a - b))
    );
  }
  return (
    message.stream_id === channelOf(narrow) &&
    message.subject.toLowerCase() === topicOf(narrow)?.toLowerCase()
  );
}
