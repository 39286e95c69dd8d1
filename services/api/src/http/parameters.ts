import { ApiError } from '@parley/protocol';
import { z } from 'zod';

import { parseJson, withoutSurrogates } from './json.ts';

/** A schema that reads the text of a form field or query argument. It reads undefined if nothing was sent. */
export type Parameter = z.ZodType<unknown, string | undefined>;
export type Parameters = Record<string, Parameter>;
export type ParametersOf<Shape extends Parameters> = { [Name in keyof Shape]: z.output<Shape[Name]> };

/** The id of what an organization has a bounded number of. Postgres keeps it as a positive int4. */
export const id = z.int().min(0).max(2_147_483_647);

/**
 * The id of what people make without end, such as messages, uploads and drafts. Postgres keeps it as a bigint; JSON carries
 * it exactly, because it stays below 2^53.
 */
export const bigId = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Schemas that read a text as JSON; the schema of the value follows in a pipe. */
const sentAsJson = new WeakSet<z.core.$ZodType>();
/** Schemas that read a text as a boolean. */
const sentAsBoolean = new WeakSet<z.core.$ZodType>();

/** Returns how a schema reads the text of a parameter, where the schema does not say so itself. */
export function readingOf(schema: z.core.$ZodType): 'json' | 'boolean' | undefined {
  if (sentAsJson.has(schema)) return 'json';
  return sentAsBoolean.has(schema) ? 'boolean' : undefined;
}

function json<Schema extends z.ZodType>(schema: Schema, change?: (value: unknown) => unknown) {
  const parse = (raw: string, context: z.core.$RefinementCtx): unknown => {
    const parsed = parseJson(raw, { ...(change && { change }) });
    if (parsed.success) return parsed.value;
    context.addIssue({ code: 'custom', message: parsed.problem });
    return z.NEVER;
  };
  const parser = z.string().transform(parse);
  sentAsJson.add(parser);
  return parser.pipe(schema);
}

/** Text that Postgres can store. */
const text = z.string().refine((raw) => !raw.includes('\0'), 'contains a null character.');

function value<Schema extends z.ZodType>(schema: Schema) {
  const isText = schema instanceof z.ZodString || schema instanceof z.ZodEnum;
  const parser =
    schema instanceof z.ZodBoolean
      ? form.bool()
      : isText
        ? text.pipe(schema as z.ZodType<unknown, string>)
        : json(schema);
  // Safe: each of the three parsers parses with the schema in the end.
  return parser as unknown as z.ZodType<z.output<Schema>, string>;
}

/** Readers for the kinds of parameters. Strings are sent as plain text; everything else is sent as JSON. */
export const form = {
  /** Reads plain text. */
  text: () => z.string(),
  /** Reads text that is stored or compared. It refuses NUL, which Postgres cannot store in text. */
  line: (max: number) =>
    z
      .string()
      .max(max)
      .refine((text) => !text.includes('\0'), 'contains a null character.'),
  int: (min: number, max: number) => json(z.int().min(min).max(max)),
  id: () => json(id),
  bigId: () => json(bigId),
  bool: () => {
    const parser = z.string().transform((raw, context) => {
      const value = booleans.get(raw);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: 'must be true or false.' });
      return z.NEVER;
    });
    sentAsBoolean.add(parser);
    return parser;
  },
  json: <Schema extends z.ZodType>(schema: Schema) => json(schema),
  /** Reads JSON whose texts may hold NUL, so that whoever stores them can refuse it. */
  jsonWithNulls: <Schema extends z.ZodType>(schema: Schema) => json(schema, withoutSurrogates),
  /** Reads a value by its schema: a string is sent as plain text, anything else as JSON. */
  value,
  oneOf: <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values),
};

/** Finds a parameter's text in the path, then in the form body, then in the query string. */
export type Sources = (name: string) => string | undefined;

interface ReadOptions {
  aliases: Record<string, string>;
}

/**
 * Reads an endpoint's parameters in the order of their declaration, up to the first that is wrong.
 * @throws REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR, BAD_REQUEST
 */
export function readParameters<Shape extends Parameters>(
  shape: Shape,
  sources: Sources,
  { aliases }: ReadOptions,
) {
  const read: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(shape)) {
    let raw = sources(name);
    for (const [alias, canonical] of Object.entries(aliases)) {
      if (canonical !== name) continue;
      const other = sources(alias);
      if (other === undefined) continue;
      if (raw !== undefined) {
        throw new ApiError('REQUEST_CONFUSING_VAR', `Send either '${name}' or '${alias}', not both.`, {
          var_name1: name,
          var_name2: alias,
        });
      }
      raw = other;
    }
    const parsed = parameter.safeParse(raw, { reportInput: true });
    if (parsed.success) read[name] = parsed.data;
    else if (raw === undefined) {
      throw missingParameter(name);
    } else throw new ApiError('BAD_REQUEST', explain(name, parsed.error));
  }
  return read as ParametersOf<Shape>;
}

export const missingParameter = (name: string) =>
  new ApiError('REQUEST_VARIABLE_MISSING', `The parameter '${name}' is missing.`, { var_name: name });

const kinds: Record<string, string> = {
  int: 'an integer',
  number: 'an integer',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Describes the first problem in one sentence, which names the parameter and where in it the problem is. */
function explain(name: string, error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return `${name} is not valid.`;
  const where = issue.path.reduce<string>(
    (text, step) => `${text}[${typeof step === 'number' ? step : JSON.stringify(String(step))}]`,
    name,
  );
  switch (issue.code) {
    case 'custom':
      return `${where} ${issue.message}`;
    case 'invalid_type':
      if (issue.input === undefined && issue.path.length > 0) return `${where} is missing.`;
      return `${where} must be ${kinds[issue.expected] ?? `a ${issue.expected}`}.`;
    case 'too_big':
      return issue.origin === 'string'
        ? `${where} can have at most ${issue.maximum} characters.`
        : `${where} is too ${issue.origin === 'array' ? 'long' : 'large'}.`;
    case 'too_small':
      if (issue.origin === 'string') return `${where} cannot be empty.`;
      return `${where} is too ${issue.origin === 'array' ? 'short' : 'small'}.`;
    case 'unrecognized_keys':
      return `${where} cannot have the field '${issue.keys[0]}'.`;
    default:
      return `${where} is not valid.`;
  }
}
