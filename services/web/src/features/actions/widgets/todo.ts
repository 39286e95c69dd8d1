import { widgetText } from '../../../strings/actions.ts';
import { type Change, contentOf, startOf } from './poll.ts';

interface Task {
  key: string;
  task: string;
  desc: string;
  isDone: boolean;
}

export interface TodoList {
  title: string;
  tasks: readonly Task[];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** A list of tasks as all changes leave it, in the order in which they came. */
export function readTodo(changes: readonly Change[], authorId: number): TodoList {
  const { data } = startOf(changes);
  let title = textOf(data['task_list_title']);
  const tasks = new Map<string, Task>();
  const initial = Array.isArray(data['tasks']) ? (data['tasks'] as Record<string, unknown>[]) : [];
  for (const [index, { task, desc }] of initial.entries()) {
    const key = `${index},canned`;
    tasks.set(key, { key, task: textOf(task), desc: textOf(desc), isDone: false });
  }
  for (const change of changes.slice(1)) {
    const { type, key, task, desc, completed, title: named } = contentOf(change);
    if (type === 'new_task_list_title' && change.sender_id === authorId) title = textOf(named);
    if (type === 'new_task' && typeof key === 'number') {
      const added = `${key},${change.sender_id}`;
      const isKnown = tasks.has(added);
      if (!isKnown) {
        tasks.set(added, { key: added, task: textOf(task), desc: textOf(desc), isDone: completed === true });
      }
    }
    if (type === 'strike') {
      const struck = tasks.get(textOf(key));
      if (struck) tasks.set(struck.key, { ...struck, isDone: !struck.isDone });
    }
  }
  return { title: title || widgetText.todo, tasks: [...tasks.values()] };
}
