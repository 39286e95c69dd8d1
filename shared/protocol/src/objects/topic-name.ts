import { z } from 'zod';

/** The name that is sent instead of an empty topic to clients that cannot show an empty one. */
export const emptyTopicDisplayName = 'general chat';

/**
 * The name of a channel's topic on the wire. Whatever is sent with such a field names the empty topic for clients that
 * cannot show an empty one (see topicNamer).
 */
export const TopicName = z.string();

type Change = (value: unknown) => unknown;

/**
 * Returns what names the empty topics of values of a schema, as clients without the capability `empty_topic_name` are
 * sent them; null for a schema without topics. Direct messages and notes have no topic, and theirs stays empty.
 */
export function topicNamer(schema: z.core.$ZodType): (<Value>(value: Value) => Value) | null {
  const change = changeOf(schema);
  // Safe: nothing but the text of topics changes.
  return change && (<Value>(value: Value) => change(value) as Value);
}

const nameTopic: Change = (value) => (value === '' ? emptyTopicDisplayName : value);

function changeOf(schema: z.core.$ZodType): Change | null {
  if (schema === TopicName) return nameTopic;
  if (schema instanceof z.ZodObject) return changeOfObject(Object.entries(schema.shape));
  if (schema instanceof z.ZodArray) return changeOfEach(changeOf(schema.element));
  if (schema instanceof z.ZodRecord) return changeOfRecord(changeOf(schema.valueType));
  if (schema instanceof z.ZodTuple) return changeOfTuple(schema.def.items.map(changeOf));
  if (schema instanceof z.ZodUnion) return inTurn(schema.options.map(changeOf));
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? changeOf(schema.unwrap()) : null;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The types of messages and drafts that go to no channel. */
const ofNoChannel: readonly unknown[] = ['private', 'direct', ''];

function changeOfObject(shape: [string, z.core.$ZodType][]): Change | null {
  const changes = shape.flatMap(([name, schema]): [string, Change][] => {
    const change = changeOf(schema);
    return change ? [[name, change]] : [];
  });
  if (changes.length === 0) return null;
  return (value) => {
    if (!isObject(value) || ofNoChannel.includes(value['type'])) return value;
    let changed = value;
    for (const [name, change] of changes) {
      const [before, after] = [value[name], change(value[name])];
      if (after !== before) changed = { ...changed, [name]: after };
    }
    return changed;
  };
}

const changeOfEach = (change: Change | null): Change | null =>
  change && ((value) => (Array.isArray(value) ? value.map(change) : value));

const changeOfRecord = (change: Change | null): Change | null =>
  change &&
  ((value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]))
      : value);

const changeOfTuple = (items: (Change | null)[]): Change | null =>
  items.every((change) => change === null)
    ? null
    : (value) => (Array.isArray(value) ? value.map((item, index) => items[index]?.(item) ?? item) : value);

function inTurn(options: (Change | null)[]): Change | null {
  const changes = options.filter((change) => change !== null);
  return changes.length === 0 ? null : (value) => changes.reduce((changed, change) => change(changed), value);
}
