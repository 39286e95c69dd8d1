import type { Message } from '@parley/client';

import { PollView } from './widgets/poll-view.tsx';
import { startOf } from './widgets/poll.ts';
import { TodoView } from './widgets/todo-view.tsx';

/** Returns whether a message carries something that is shown in the place of its text. */
export const hasWidget = ({ submessages }: Message): boolean =>
  submessages.length > 0 && ['poll', 'todo'].includes(String(startOf(submessages).type));

/** The poll or the list of tasks that a message carries; nothing of other messages. */
export function Widget({ message }: { message: Message }) {
  if (message.submessages.length === 0) return null;
  const { type } = startOf(message.submessages);
  if (type === 'poll') return <PollView message={message} />;
  if (type === 'todo') return <TodoView message={message} />;
  return null;
}
