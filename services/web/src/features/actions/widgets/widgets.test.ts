import { describe, expect, test } from 'vitest';

import { nextIndex, readPoll } from './poll.ts';
import { readTodo } from './todo.ts';

const author = 5;
const by = (sender_id: number, content: object) => ({ sender_id, content: JSON.stringify(content) });
const poll = by(author, {
  widget_type: 'poll',
  extra_data: { question: 'Lunch?', options: ['Soup', 'Bread'] },
});
const votes = (changes: Parameters<typeof readPoll>[0]) =>
  readPoll(changes, author).options.map(({ text, voters }) => [text, ...voters]);

describe('a poll', () => {
  test('counts who is for what, and who is not any more', () => {
    const for0 = (id: number, vote: number) => by(id, { type: 'vote', key: 'canned,0', vote });
    expect(votes([poll, for0(7, 1), for0(8, 1), for0(7, 1), for0(8, -1)])).toEqual([['Soup', 7], ['Bread']]);
  });

  test('gets options of anyone, and each is one of its own', () => {
    const added = (id: number) => by(id, { type: 'new_option', idx: 1, option: `of ${id}` });
    const vote = by(9, { type: 'vote', key: '8,1', vote: 1 });
    expect(votes([poll, added(7), added(8), added(8), vote])).toEqual([
      ['Soup'],
      ['Bread'],
      ['of 7'],
      ['of 8', 9],
    ]);
    expect(nextIndex([poll, added(8)], 8, 'idx')).toBe(2);
    expect(nextIndex([poll, added(8)], 7, 'idx')).toBe(1);
  });

  test('is asked otherwise by its author alone', () => {
    const asked = (id: number) => by(id, { type: 'question', question: `by ${id}` });
    expect(readPoll([poll, asked(7)], author).question).toBe('Lunch?');
    expect(readPoll([poll, asked(author)], author).question).toBe('by 5');
  });

  test('stands what is no change of a poll', () => {
    const odd = ['', 'null', '[]', '{"type":"vote","key":"toString","vote":1}'];
    expect(votes([poll, ...odd.map((content) => ({ sender_id: 7, content }))])).toEqual([
      ['Soup'],
      ['Bread'],
    ]);
    expect(readPoll([], author)).toEqual({ question: '', options: [] });
  });
});

test('a list of tasks is struck and grows', () => {
  const list = by(author, {
    widget_type: 'todo',
    extra_data: { task_list_title: 'Chores', tasks: [{ task: 'Dishes', desc: 'today' }] },
  });
  const more = by(7, { type: 'new_task', key: 1, task: 'Windows', desc: '', completed: false });
  const strike = (key: string) => by(8, { type: 'strike', key });
  const { title, tasks } = readTodo([list, more, strike('0,canned'), strike('1,7'), strike('1,7')], author);
  expect(title).toBe('Chores');
  expect(tasks.map(({ task, isDone }) => [task, isDone])).toEqual([
    ['Dishes', true],
    ['Windows', false],
  ]);
});
