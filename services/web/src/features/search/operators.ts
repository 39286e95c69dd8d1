import { operatorText } from '../../strings/search.ts';

/** What an operator's operand is, and so what completes it. */
export type OperandKind = 'channel' | 'topic' | 'person' | 'people' | 'message' | 'choice' | 'date';

interface Operator {
  name: string;
  says: string;
  kind: OperandKind;
  choices?: readonly string[];
}

/** Every operator but `search`, which is what is written without one. `near` and `date` say where one begins to read. */
export const operators: readonly Operator[] = [
  { name: 'channel', says: operatorText.channel, kind: 'channel' },
  { name: 'topic', says: operatorText.topic, kind: 'topic' },
  { name: 'sender', says: operatorText.sender, kind: 'person' },
  { name: 'dm', says: operatorText.dm, kind: 'people' },
  { name: 'dm-including', says: operatorText.dmIncluding, kind: 'person' },
  {
    name: 'is',
    says: operatorText.is,
    kind: 'choice',
    choices: ['unread', 'starred', 'mentioned', 'dm', 'followed', 'resolved', 'muted', 'alerted'],
  },
  {
    name: 'has',
    says: operatorText.has,
    kind: 'choice',
    choices: ['link', 'image', 'attachment', 'reaction'],
  },
  { name: 'in', says: operatorText.in, kind: 'choice', choices: ['home', 'all'] },
  {
    name: 'channels',
    says: operatorText.channels,
    kind: 'choice',
    choices: ['public', 'web-public'],
  },
  { name: 'id', says: operatorText.id, kind: 'message' },
  { name: 'with', says: operatorText.with, kind: 'message' },
  { name: 'mentions', says: operatorText.mentions, kind: 'person' },
  { name: 'near', says: operatorText.near, kind: 'message' },
  { name: 'date', says: operatorText.date, kind: 'date' },
];

/** Other names of operators. */
const synonyms: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  from: 'sender',
  'pm-with': 'dm',
  'group-pm-with': 'dm-including',
  'pm-including': 'dm-including',
};

export const operatorOf = (name: string): Operator | undefined =>
  operators.find((one) => one.name === (synonyms[name] ?? name));
