import type { FetchedMessage } from '@parley/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { client } from '../live/follow.ts';
import { part } from '../live/state.ts';
import type { Narrow } from '../router/narrow.ts';
import { connection } from '../session/session.ts';
import { Html } from './html.tsx';

import './message-list.css';
import { titleOf } from './title.ts';

const shownMax = 100;

/** The newest messages of a narrow. */
export function MessageList({ narrow }: { narrow: Narrow }) {
  const messages = useSignal<readonly FetchedMessage[] | null>(null);
  const error = useSignal('');
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const load = () => {
      fetchNewest(narrow)
        .then((newest) => (messages.value = newest))
        .catch((failure: unknown) => (error.value = failure instanceof Error ? failure.message : ''));
    };
    load();
    return client()?.subscribe(({ changes, isNew }) => {
      if (isNew || changes.messages.size > 0) load();
    });
  }, []);
  useEffect(() => end.current?.scrollIntoView(), [messages.value]);
  return (
    <div class="message-list">
      <h1>{titleOf(narrow)}</h1>
      {error.value && <p class="refusal-text">{error.value}</p>}
      {messages.value === null && !error.value && <p class="dim">Loading …</p>}
      {messages.value?.length === 0 && <p class="dim">There are no messages here yet.</p>}
      <ol aria-live="polite" aria-relevant="additions">
        {messages.value?.map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
      </ol>
      <div ref={end} />
    </div>
  );
}

async function fetchNewest({ terms }: Narrow): Promise<FetchedMessage[]> {
  const narrow = terms.map(({ operator, operand, negated }) => ({
    operator,
    operand:
      operator === 'channel' ? Number.parseInt(operand, 10) : operator === 'dm' ? idsOf(operand) : operand,
    negated,
  }));
  const { messages } = await connection().get<{ messages: FetchedMessage[] }>('/messages', {
    narrow,
    anchor: 'newest',
    num_before: shownMax,
    num_after: 0,
    client_gravatar: false,
    allow_empty_topic_name: true,
  });
  return messages;
}

const idsOf = (operand: string) =>
  (/^[\d,]+/.exec(operand)?.[0] ?? '').split(',').filter(Boolean).map(Number);

function MessageRow({ message }: { message: FetchedMessage }) {
  const { sender_id, timestamp, content } = message;
  const sender = part('users').get(sender_id);
  const sent = new Date(timestamp * 1000);
  return (
    <li class="message">
      <p class="message-head">
        <strong>{sender?.full_name ?? `Somebody (${sender_id})`}</strong>{' '}
        <time class="dim" dateTime={sent.toISOString()}>
          {sent.toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })}
        </time>
      </p>
      <Html class="rendered" html={content} />
    </li>
  );
}
