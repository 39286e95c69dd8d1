import type { State } from '@parley/client';

import { dayText, startOfDay } from '../../base/functions/days.ts';
import { plainText } from '../../base/html/html-policy.ts';
import { slug } from '../../base/router/narrow.ts';
import type { Term } from '../../base/router/narrow.ts';
import { nameText } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';
import { searchText } from '../../strings/search.ts';
import { type OperandKind, operatorOf, operators } from './operators.ts';

/** Something that the word at the end of the field may become. */
export interface Suggestion {
  /** What the word becomes. With a term it becomes a chip at once; without, one goes on writing. */
  text: string;
  term: Term | null;
  label: string;
  says: string;
  /** The view that it leads to at once. */
  fragment?: string;
}

const most = 8;
/** From how many letters on a word is completed to a name, and to how many of each kind. */
const likeMin = 2;
const likeMost = 3;

interface Context {
  state: State;
  /** The terms that there are already. */
  terms: readonly Term[];
  /** Topics of the channel that the terms name. */
  topics: readonly string[];
}

/** Returns what a word may become: an operator, or an operand of the one that it has. */
export function complete(word: string, context: Context): Suggestion[] {
  const minus = word.startsWith('-') ? '-' : '';
  const [name, operand] = split(word.slice(minus.length));
  if (operand === undefined) {
    if (word === '' || word.startsWith('"')) return [];
    const named = operators
      .filter((one) => one.name.startsWith(name.toLowerCase()))
      .map((one) => ({
        text: `${minus}${one.name}:`,
        term: null,
        label: `${minus}${one.name}:`,
        says: minus ? searchText.exclude(one.says) : one.says,
      }));
    return [...named, ...placesLike(minus, name, context)].slice(0, most);
  }
  const operator = operatorOf(name);
  if (!operator) return [];
  const wanted = operand.replaceAll('"', '').toLowerCase();
  const found = operandsOf[operator.kind](wanted, context, operator.choices ?? []);
  return found.slice(0, most).map((one) => suggestion(minus, operator.name, one));
}

/** Whoever types the beginning of a name may mean the channel, the topic, or the person. */
function placesLike(minus: string, name: string, context: Context): Suggestion[] {
  const wanted = name.toLowerCase();
  if (wanted.length < likeMin) return [];
  return (['channel', 'topic', 'sender'] as const).flatMap((operator) => {
    const kind = operatorOf(operator)?.kind;
    if (!kind) return [];
    const starting = operandsOf[kind](wanted, context, []).filter(({ label }) =>
      label.toLowerCase().startsWith(wanted),
    );
    return starting.slice(0, likeMost).map((found) => suggestion(minus, operator, found));
  });
}

function suggestion(minus: string, operator: string, { value, label, says = '' }: Operand): Suggestion {
  return {
    text: `${minus}${operator}:${value}`,
    term: { operator, operand: value, negated: minus === '-' },
    label: `${minus}${operator}: ${label}`,
    says,
  };
}

function split(word: string): [string, string | undefined] {
  const at = word.indexOf(':');
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

interface Operand {
  value: string;
  label: string;
  says?: string;
}

type Find = (wanted: string, context: Context, choices: readonly string[]) => Operand[];

/** Those whose name begins with what is wanted come first. */
const byFit = (wanted: string) => (a: Operand, b: Operand) =>
  Number(b.label.toLowerCase().startsWith(wanted)) - Number(a.label.toLowerCase().startsWith(wanted)) ||
  a.label.localeCompare(b.label);

const person: Find = (wanted, { state }) => {
  const people = [...state.users.values()].map(({ user_id, full_name, email }) => ({
    value: slug(user_id, full_name),
    label: full_name,
    says: email,
  }));
  const me = { value: 'me', label: 'me', says: searchText.you };
  return [me, ...people].filter(({ label }) => label.toLowerCase().includes(wanted)).sort(byFit(wanted));
};

/** The day so many days before this one. */
function dayAgo(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() - days);
  return dayText(at);
}

const operandsOf: Readonly<Record<OperandKind, Find>> = {
  channel: (wanted, { state }) =>
    [...state.channels.values()]
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ stream_id, name, rendered_description }) => ({
        value: slug(stream_id, name),
        label: name,
        says: plainText(rendered_description),
      }))
      .sort(byFit(wanted)),
  topic: (wanted, { topics }) =>
    topics
      .filter((topic) => topic.toLowerCase().includes(wanted))
      .map((topic) => ({ value: topic, label: topic || nameText.generalChat })),
  person,
  people(wanted, context) {
    const before = wanted.split(',').slice(0, -1);
    const ids = before.map((one) => Number.parseInt(one, 10)).filter((id) => !Number.isNaN(id));
    return person(wanted.split(',').at(-1) ?? '', context, [])
      .filter(({ value }) => value !== 'me' && !ids.includes(Number.parseInt(value, 10)))
      .map(({ value, label, says }) => ({
        value: [...ids, Number.parseInt(value, 10)].join(','),
        label: listNames([...ids.map((id) => context.state.users.get(id)?.full_name ?? String(id)), label]),
        ...(says !== undefined && { says }),
      }));
  },
  message: (wanted) => (/^\d+$/.test(wanted) ? [{ value: wanted, label: wanted }] : []),
  date: (wanted) =>
    [
      ...(startOfDay(wanted) ? [{ value: wanted, label: wanted }] : []),
      ...[0, 1, 7, 30].map((daysAgo) => ({ value: dayAgo(daysAgo), label: dayAgo(daysAgo) })),
    ].filter(
      ({ value }, index, all) =>
        value.startsWith(wanted) && all.findIndex((other) => other.value === value) === index,
    ),
  choice: (wanted, _, choices) =>
    choices.filter((one) => one.startsWith(wanted)).map((value) => ({ value, label: value })),
};
