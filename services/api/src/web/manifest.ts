import { type ClientFile, textFile } from '../static/client-files.ts';

/** Views that an installed application offers without being opened first, by their fragments. */
const shortcuts = [
  { name: 'Inbox', url: '/#inbox' },
  { name: 'Recent conversations', url: '/#recent' },
  { name: 'Mentions', url: '/#narrow/is/mentioned' },
];

/** Those of the client's icons that an application has: sizes in pixels, and whether its edges may be cut off. */
const icons = [
  { file: 'icon-192', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512', sizes: '512x512', purpose: 'any' },
  { file: 'icon-maskable', sizes: '512x512', purpose: 'maskable' },
];

/** Returns what a browser reads before it installs the client: an application of the organization, by its name. */
export function manifestOf(organization: string, paths: readonly string[]): ClientFile {
  return textFile(
    'application/manifest+json',
    JSON.stringify({
      // An application is known by this, whatever else changes.
      id: '/',
      name: organization,
      short_name: organization,
      start_url: '/',
      scope: '/',
      display: 'standalone',
      theme_color: '#4b4ded',
      background_color: '#f6f5f2',
      icons: icons.flatMap(({ file, ...icon }) => {
        const src = paths.find((path) => path.startsWith(`/static/web/${file}-`));
        return src === undefined ? [] : [{ src, type: 'image/png', ...icon }];
      }),
      shortcuts,
    }),
  );
}
