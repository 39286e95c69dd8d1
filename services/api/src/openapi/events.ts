import { takeBreak } from '@parley/kit';
import { sentEvents } from '@parley/protocol';
import { z } from 'zod';

import { type JsonSchema, describeSent, refTo } from './json-schema.ts';

/** Adds a schema for each form of event, and `Event` for any: a union that `type` tells apart, and within it `op`. */
export async function describeEvents(components: Record<string, JsonSchema>): Promise<void> {
  const forms = new Map<string, z.ZodObject[]>();
  for (const form of sentEvents) {
    const type = literalOf(form, 'type');
    forms.set(type, [...(forms.get(type) ?? []), form]);
  }
  const mapping: Record<string, string> = {};
  for (const [type, variants] of forms) {
    await takeBreak();
    components[`Event_${type}`] = describeType(type, variants, components);
    mapping[type] = refText(`Event_${type}`);
  }
  components['Event'] = {
    description: 'What a queue is sent. Clients skip types that they do not know.',
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping },
  };
}

function describeType(
  type: string,
  variants: readonly z.ZodObject[],
  components: Record<string, JsonSchema>,
): JsonSchema {
  const [only, ...others] = variants.map((form) => describeSent(form, components));
  if (only && others.length === 0) return only;
  const ops = variants.map((form) => literalOf(form, 'op'));
  if (ops.includes('')) return { oneOf: [only, ...others] };
  const mapping: Record<string, string> = {};
  for (const [index, op] of ops.entries()) {
    const name = `Event_${type}_${op}`;
    components[name] = describeSent(variants[index] ?? z.never(), components);
    mapping[op] = refText(name);
  }
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  return { oneOf, discriminator: { propertyName: 'op', mapping } };
}

const refText = (name: string) => String(refTo(name)['$ref']);

/** The only value of a field of an event; empty without one. */
function literalOf(form: z.ZodObject, field: string): string {
  const schema: unknown = form.shape[field];
  return schema instanceof z.ZodLiteral ? String(schema.value) : '';
}
