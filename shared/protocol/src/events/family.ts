import { z } from 'zod';

import type { Client } from '../client.ts';
import { topicNamer } from '../objects/topic-name.ts';
import type { QueueRecord } from '../queue-record.ts';

export type WireEvent = { type: string } & Record<string, unknown>;

/** Values that a node computes and the log does not hold, or holds elsewhere. */
export interface NodeValues {
  readonly apiKeyOf: (user: { id: number; keyGeneration: number }) => string;
  /** The members of an audience, in no order. It is in memory. */
  readonly membersOf: (audienceId: number) => Iterable<number>;
}

export interface EventFamily<Logged extends { type: string } = { type: string }> {
  type: string;
  /** Other types that one logged event may become. A queue receives those that it asked for. */
  also?: readonly string[];
  /** The event's schema in the log. It is strict: an unknown field is a mistake. */
  schema: z.ZodType<Logged>;
  /** What clients are sent, in every form that there is. They are strict, and have no id yet. */
  sent: readonly z.ZodObject[];
  /** The events that a client with these capabilities is sent for one logged event: none, one or several, in order. */
  forClient(event: Logged, client: Client, values: NodeValues): WireEvent[];
  /** Fields that differ between queues whose clients have equal capabilities. */
  forQueue?(event: Logged, queue: QueueRecord): Record<string, unknown>;
  /** The most events that one logged event becomes for any client, where that may be more than three. */
  countMax?(event: Logged): number;
}

interface FamilyOptions<Logged> {
  also?: readonly string[];
  /** What clients are sent; what is logged, if undefined. */
  sent?: readonly z.ZodObject[];
  forClient?: (event: Logged, client: Client, values: NodeValues) => WireEvent[];
  forQueue?: (event: Logged, queue: QueueRecord) => Record<string, unknown>;
  countMax?: (event: Logged) => number;
}

/** Returns a form in which clients are sent an event. */
export const sentEvent = (type: string, shape: z.ZodRawShape): z.ZodObject =>
  z.strictObject({ type: z.literal(type), ...shape });

const asLogged = (logged: { type: string }): WireEvent[] => [logged];

/** What clients are sent of an event, with empty topics named for those that cannot show them. */
function sentForms<Logged extends { type: string }>(
  { sent, forClient = asLogged }: FamilyOptions<Logged>,
  logged: readonly z.ZodObject[],
): Pick<EventFamily<Logged>, 'forClient' | 'sent'> {
  const forms = sent ?? logged;
  const name = forms.length > 0 ? topicNamer(z.union(forms)) : null;
  if (!name) return { sent: forms, forClient };
  return {
    sent: forms,
    forClient(event, client, values) {
      const events = forClient(event, client, values);
      return client.empty_topic_name ? events : events.map(name);
    },
  };
}

/** Creates an event type without ops. Calling the result constructs an event. */
export function event<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
  options: FamilyOptions<{ type: Type } & z.output<z.ZodObject<Shape>>> = {},
) {
  type Logged = { type: Type } & z.output<z.ZodObject<Shape>>;
  const object = z.strictObject({ type: z.literal(type), ...shape });
  const schema = object as unknown as z.ZodType<Logged>;
  const construct = (fields: z.output<z.ZodObject<Shape>>) => ({ type, ...fields });
  return Object.assign(construct, {
    type,
    schema,
    ...sentForms(options, [object]),
    ...(options.forQueue && { forQueue: options.forQueue }),
    ...(options.countMax && { countMax: options.countMax }),
    ...(options.also && { also: options.also }),
  }) satisfies EventFamily<Logged>;
}

type Ops = Record<string, z.ZodRawShape>;
type Logged<Type extends string, Shapes extends Ops> = {
  [Op in keyof Shapes & string]: { type: Type; op: Op } & z.output<z.ZodObject<Shapes[Op]>>;
}[keyof Shapes & string];

/** Creates an event type with ops. `family.op(fields)` constructs an event. */
export function eventFamily<Type extends string, const Shapes extends Ops>(
  type: Type,
  shapes: Shapes,
  options: FamilyOptions<Logged<Type, Shapes>> = {},
) {
  const variants = Object.entries(shapes).map(([op, shape]) =>
    sentEvent(type, { op: z.literal(op), ...shape }),
  );
  const schema = z.union(variants) as unknown as z.ZodType<Logged<Type, Shapes>>;
  const construct = Object.fromEntries(
    Object.keys(shapes).map((op) => [op, (fields: object) => ({ type, op, ...fields })]),
  ) as {
    [Op in keyof Shapes & string]: (
      fields: z.output<z.ZodObject<Shapes[Op]>>,
    ) => { type: Type; op: Op } & z.output<z.ZodObject<Shapes[Op]>>;
  };
  return Object.assign(construct, {
    type,
    schema,
    ...sentForms(options, variants),
    ...(options.forQueue && { forQueue: options.forQueue }),
    ...(options.countMax && { countMax: options.countMax }),
    ...(options.also && { also: options.also }),
  });
}
