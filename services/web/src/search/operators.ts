/** What an operator's operand is, and so what completes it. */
export type OperandKind = 'channel' | 'topic' | 'person' | 'people' | 'message' | 'choice';

interface Operator {
  name: string;
  says: string;
  kind: OperandKind;
  choices?: readonly string[];
}

/** Every operator of narrows but `search`, which is what is written without one, and `near`, which is a place. */
export const operators: readonly Operator[] = [
  { name: 'channel', says: 'Messages of a channel', kind: 'channel' },
  { name: 'topic', says: 'Messages of a topic', kind: 'topic' },
  { name: 'sender', says: 'Messages of somebody', kind: 'person' },
  { name: 'dm', says: 'The direct conversation with people', kind: 'people' },
  { name: 'dm-including', says: 'Every direct conversation with somebody', kind: 'person' },
  {
    name: 'is',
    says: 'Messages that are so',
    kind: 'choice',
    choices: ['unread', 'starred', 'mentioned', 'dm', 'followed', 'resolved', 'muted', 'alerted'],
  },
  {
    name: 'has',
    says: 'Messages with something',
    kind: 'choice',
    choices: ['link', 'image', 'attachment', 'reaction'],
  },
  { name: 'in', says: 'Without what you mute, or everything', kind: 'choice', choices: ['home', 'all'] },
  {
    name: 'channels',
    says: 'Messages of all such channels',
    kind: 'choice',
    choices: ['public', 'web-public'],
  },
  { name: 'id', says: 'One message', kind: 'message' },
  { name: 'with', says: 'The conversation in which a message is now', kind: 'message' },
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
