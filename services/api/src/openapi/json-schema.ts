import * as protocol from '@parley/protocol';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Objects of the protocol that several endpoints and events share, under the names that the code has for them. */
const shared = z.registry<{ id: string }>();
for (const [name, value] of Object.entries(protocol)) {
  if (value instanceof z.ZodObject && name !== 'QueueRecord' && name !== 'Entry')
    shared.add(value, { id: name });
}

/** Describes what clients are sent. Shared objects become components, which are added to `components`. */
export function describeSent(schema: z.ZodType, components: Record<string, JsonSchema>): JsonSchema {
  const described = z.toJSONSchema(schema, { io: 'output', metadata: shared, unrepresentable: 'any' });
  const { $schema: _, $defs = {}, ...rest } = pointToComponents(described) as JsonSchema;
  for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
    const { id: __, ...own } = definition;
    components[name] ??= own;
  }
  delete rest['id'];
  return rest;
}

/** Describes what clients send, before it is trimmed or defaults are filled in. */
export function describeTaken(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return described;
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string'
        ? item.replace('#/$defs/', '#/components/schemas/')
        : pointToComponents(item),
    ]),
  );
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
