import { integrations } from '@parley/api';

/** The rows of the table in docs/integrations.md. */
export const integrationRows = (): string[][] =>
  integrations.map(({ name, displayName, documentation, events, signature }) => [
    `[${displayName}](${documentation})`,
    `\`${name}\``,
    Object.keys(events)
      .map((event) => `\`${event}\``)
      .join(', '),
    signature ? `\`${signature.header.replaceAll(', ', '`, `')}\`: ${signature.scheme}` : '',
  ]);
