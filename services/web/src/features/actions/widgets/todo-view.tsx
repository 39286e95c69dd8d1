import { type Message, sendSubmessage } from '@parley/client';

import { attempt } from '../../../data/actions/verbs.ts';
import { slice } from '../../../data/live/state.ts';
import { connection, isSpectator } from '../../../data/session/session.ts';
import { widgetText } from '../../../strings/actions.ts';
import { AddLine } from './add-line.tsx';
import { nextIndex } from './poll.ts';
import { readTodo } from './todo.ts';

/** A list of tasks, which anyone may strike and add to. */
export function TodoView({ message: { id, sender_id, submessages } }: { message: Message }) {
  const { title, tasks } = readTodo(submessages, sender_id);
  const ownId = slice('own').user_id;
  const change = (what: object) => attempt(sendSubmessage(connection(), id, what));
  return (
    <section class="widget" aria-label={widgetText.todoAbout(title)}>
      <h3 dir="auto">{title}</h3>
      <ul>
        {tasks.map(({ key, task, desc, isDone }) => (
          <li key={key}>
            <label>
              <input
                type="checkbox"
                checked={isDone}
                disabled={isSpectator()}
                onChange={() => change({ type: 'strike', key })}
              />{' '}
              <span dir="auto">
                {isDone ? <s>{task}</s> : task} {desc && <span class="dim">{desc}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <AddLine
        label={widgetText.addTask}
        onAdd={(task) =>
          change({
            type: 'new_task',
            key: nextIndex(submessages, ownId, 'key'),
            task,
            desc: '',
            completed: false,
          })
        }
      />
    </section>
  );
}
