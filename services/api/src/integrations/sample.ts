import type { Delivery, Integration } from './integration.ts';

/** Returns what a product would send for a sample. */
export const deliveryOf = (
  { event: by }: Pick<Integration, 'event'>,
  [event, payload]: readonly [event: string, payload: unknown],
): Delivery => ({
  payload,
  header: (name) =>
    typeof by !== 'function' && name.toLowerCase() === by.header.toLowerCase() ? event : undefined,
});

/** Reads topic and content of the message that tells of each sample, by its title. */
export const toldOf = (integration: Integration): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(integration.samples).map(([title, sample]) => {
      const read = integration.read(deliveryOf(integration, sample));
      return [title, 'unsupported' in read ? read : [read.topic, read.content]];
    }),
  );
