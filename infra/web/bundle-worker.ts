import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { hashOf } from './hash-of.ts';

/**
 * Bundles the service worker into one script, which knows the page that it was built with: each build has another one, by
 * which browsers notice that there is a new version.
 */
export async function bundleWorker(root: string, outDir: string): Promise<void> {
  const { build } = await import('vite');
  const page = await readFile(join(outDir, 'index.html'), 'utf8');
  // What the page names, and what it fetches when it has drawn its messages: it is whole without a network too.
  const later = (await readdir(join(outDir, 'static/web'))).filter((name) =>
    /^around-[^.]*\.(?:css|js)$/.test(name),
  );
  const files = new Set([
    ...[...page.matchAll(/"(\/static\/web\/[^"]+)"/g)].map(([, path]) => path),
    ...later.map((name) => `/static/web/${name}`),
  ]);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Rooms resolve to their sources.
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    define: {
      'import.meta.env.SHELL_VERSION': JSON.stringify(hashOf(page)),
      'import.meta.env.SHELL_FILES': JSON.stringify([...files]),
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(root, 'src/features/notifications/worker/main.ts'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
}
