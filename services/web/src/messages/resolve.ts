import { type Message, RequestFailed } from '@parley/client';

import { peek } from '../live/state.ts';
import { type Narrow, channelOf, narrowFragment, peopleOf, topicOf } from '../router/narrow.ts';
import { connection } from '../session/session.ts';
import { conversationOf } from './links.ts';
import { isConversation } from './narrow-kind.ts';

/** Asks for one message. Null for one that the reader may not see, or that is gone. */
async function findMessage(id: number): Promise<Message | null> {
  const loaded = peek().messages.get(id);
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

/**
 * Where a link leads now: the fragment of the conversation in which the message is that it names. Null where the link
 * is right as it is, or names no message that the reader may see.
 */
export async function resolveLink(narrow: Narrow): Promise<string | null> {
  const terms = narrow.terms.filter(({ operator, negated }) => operator !== 'with' || negated);
  const followed = narrow.terms.find(({ operator, negated }) => operator === 'with' && !negated);
  const names = terms.length === 0 || isConversation({ terms, near: null });
  const id = followed ? Number.parseInt(followed.operand, 10) : names ? narrow.near : null;
  if (id === null || Number.isNaN(id) || (!followed && terms.length === 0)) return null;
  const message = await findMessage(id);
  const near = followed ? narrow.near : id;
  const rest = followed && terms.length > 0 ? narrowFragment({ terms, near: narrow.near }) : null;
  if (!message) return rest;
  if (!followed && isIn(message, narrow)) return null;
  // Conditions beside the conversation stay.
  const others = terms.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator));
  const conversation = conversationOf(message);
  const tail = narrowFragment({ terms: others, near }).slice('#narrow'.length);
  return `${conversation}${tail}`;
}

/** Returns whether a message is in the conversation that a narrow is. */
function isIn(message: Message, narrow: Narrow): boolean {
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
