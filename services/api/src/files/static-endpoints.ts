import { bytesEndpoint } from '../endpoint/bytes.ts';
import { emojiData, emojiDataPath } from '../static/emoji-data.ts';
import { pictures } from '../static/pictures.ts';

/** Addresses whose content never changes. */
const keptForEver = (type: string) => ({
  'Content-Type': type,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
});

const common = { of: 'server', errors: [], params: {} } as const;

/** What the server has of its own, for anyone. */
export const staticEndpoints = [
  bytesEndpoint({
    ...common,
    path: emojiDataPath,
    summary: 'Answers with the names of all emoji, as JSON.',
    handle: () =>
      Promise.resolve(
        new Response(emojiData, {
          headers: { ...keptForEver('application/json'), 'Access-Control-Allow-Origin': '*' },
        }),
      ),
  }),

  ...pictures.map(({ path, type, bytes }) =>
    bytesEndpoint({
      ...common,
      path,
      summary: `Answers with a picture that the HTML of messages names, ${path.split('/').at(-1)}.`,
      handle: () => Promise.resolve(new Response(bytes, { headers: keptForEver(type) })),
    }),
  ),
];
