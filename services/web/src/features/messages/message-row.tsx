import type { Match, Message } from '@parley/client';
import { type Signal, useSignal } from '@preact/signals';
import { memo } from 'preact/compat';

import { editing } from '../../data/actions/editing.ts';
import { peek } from '../../data/live/state.ts';
import { nameOfUser } from '../../data/people/names.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { conversationOf } from '../../data/places/links.ts';
import { dayOf, momentOf, timeOf } from '../../data/places/times.ts';
import { messageText } from '../../strings/messages.ts';
import { EditBox, MessageActions, Reactions, Widget, hasWidget } from '../actions/index.ts';
import { Avatar } from '../avatars/index.ts';
import { Content } from '../content/index.ts';
import { Collapsed } from './collapsed.tsx';
import { ConversationHeader } from './conversation-header.tsx';
import type { Head } from './heads.ts';
import { Hidden, isHidden } from './hidden.tsx';
import { Marks } from './marks.tsx';
import { mentionKind } from './mention-kind.ts';

import './message-row.css';

interface RowProps extends Head {
  message: Message;
  /** Where the words of a search are in it. */
  match: Match | undefined;
  /** Whether what is new begins with it. */
  isFirstNew: boolean;
  isSelected: boolean;
}

/** A message with all that stands above it. */
export const MessageRow = memo(function MessageRow(props: RowProps) {
  const { message, match, isFirstNew, isSelected, hasDay, hasPlace, hasSender } = props;
  const { id, timestamp, flags, submessages, reactions } = message;
  const isPointedAt = useSignal(false);
  const mention = mentionKind(message, peek().own.user_id);
  const classes = [
    'message',
    isSelected && 'selected',
    mention === 'you' && 'mention',
    mention === 'group' && 'group-mention',
    !flags.includes('read') && 'unread',
    hasSender && 'with-sender',
  ];
  return (
    <>
      {hasDay && <p class="day-line">{dayOf(timestamp)}</p>}
      {isFirstNew && <p class="new-line">{messageText.new}</p>}
      {hasPlace && <ConversationHeader message={message} match={match} />}
      <article
        id={`message-${id}`}
        class={classes.filter(Boolean).join(' ')}
        tabIndex={-1}
        aria-label={messageText.label(nameOfUser(message.sender_id), momentOf(timestamp))}
        onPointerEnter={() => (isPointedAt.value = true)}
      >
        <Sender message={message} isShown={hasSender && !message.is_me_message} />
        <div class="message-body">
          {editing.value === id ? (
            <EditBox message={message} onDone={() => (editing.value = null)} />
          ) : (
            (!hasWidget(message) || isHidden(id, message.sender_id)) && (
              <Body message={message} match={match} />
            )
          )}
          <Marks message={message} />
          {!isHidden(id, message.sender_id) && (
            <>
              {submessages.length > 0 && <Widget message={message} />}
              {reactions.length > 0 && <Reactions message={message} />}
            </>
          )}
        </div>
        <Tools message={message} isSelected={isSelected} isPointedAt={isPointedAt} />
      </article>
    </>
  );
});

interface ToolsProps extends Pick<RowProps, 'message' | 'isSelected'> {
  isPointedAt: Signal<boolean>;
}

/** The buttons of a message, once they can be seen: on most messages nobody ever looks for them, and they are most of a row. */
const Tools = ({ message, isSelected, isPointedAt }: ToolsProps) =>
  isSelected || isPointedAt.value ? <MessageActions message={message} /> : null;

function Sender({ message, isShown }: { message: Message; isShown: boolean }) {
  const { id, sender_id, timestamp } = message;
  const time = (
    <a class="message-time dim" href={conversationOf(message, id)} title={momentOf(timestamp)}>
      <time dateTime={new Date(timestamp * 1000).toISOString()}>{timeOf(timestamp)}</time>
    </a>
  );
  if (!isShown) return time;
  return (
    <>
      {isHidden(id, sender_id) ? <span class="avatar" /> : <Avatar id={sender_id} />}
      <p class="message-head">
        {isHidden(id, sender_id) ? (
          <span class="dim">{messageText.mutedPerson}</span>
        ) : (
          <SenderName id={sender_id} />
        )}{' '}
        {time}
      </p>
    </>
  );
}

function Body({ message, match }: { message: Message; match: Match | undefined }) {
  const { id, content, is_me_message, sender_id, flags } = message;
  if (isHidden(id, sender_id)) return <Hidden id={id} />;
  if (flags.includes('collapsed')) return <Collapsed id={id} />;
  const html = match?.content ?? content;
  if (!is_me_message) return <Content id={id} html={html} />;
  return (
    <div class="me-message">
      <Avatar id={sender_id} size={20} />
      <SenderName id={sender_id} />
      <Content id={id} html={html.replace(/^<p>\/me\s?/, '<p>')} />
    </div>
  );
}

const SenderName = ({ id }: { id: number }) => (
  <button
    type="button"
    class="sender-name"
    dir="auto"
    onClick={({ currentTarget }) => showProfile(id, currentTarget)}
  >
    {nameOfUser(id)}
  </button>
);
