import type { z } from 'zod';

import { type Parameter, readingOf } from '../http/parameters.ts';
import { type JsonSchema, describeTaken } from './json-schema.ts';

export interface DescribedParameter {
  schema: JsonSchema;
  isRequired: boolean;
}

/** Returns what a parameter holds, whatever its text is transformed into when it is read. */
export function describeParameter(parameter: Parameter): DescribedParameter {
  return { schema: describe(parameter), isRequired: !parameter.safeParse(undefined).success };
}

function describe(schema: z.core.$ZodType): JsonSchema {
  if (readingOf(schema) === 'boolean') return { type: 'boolean' };
  const def = definitionOf(schema);
  switch (def.type) {
    case 'default':
    case 'prefault':
      return { ...describe(def.innerType), default: def.defaultValue };
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return describe(def.innerType);
    case 'pipe':
      if (readingOf(def.in) === 'json') return describeTaken(def.out);
      return isTransform(def.out) ? describe(def.in) : describe(def.out);
    default:
      return describeTaken(schema);
  }
}

/** Safe: every schema has one of zod's definitions. */
const definitionOf = (schema: z.core.$ZodType) =>
  (schema as unknown as { def: z.core.$ZodTypes['_zod']['def'] }).def;

const isTransform = (schema: z.core.$ZodType) => definitionOf(schema).type === 'transform';

/**
 * Returns whether a value is sent as JSON where everything else is plain text: a list, an object, or more than one
 * kind.
 */
export function isSentAsJson({ type }: JsonSchema): boolean {
  return type === undefined || type === 'array' || type === 'object';
}
