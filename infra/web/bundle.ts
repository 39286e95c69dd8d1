import { join } from 'node:path';

/** Bundles a page below the folder of the web client, with all that it names. */
export async function bundle(root: string, page: string, outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Whoever builds it, as a test does with a NODE_ENV of its own: the other form carries the paths of the sources.
    oxc: { jsx: { development: false, runtime: 'automatic', importSource: 'preact' } },
    resolve: {
      // Rooms resolve to their sources.
      conditions: ['source', 'module', 'browser', 'production'],
      // Libraries that are written for React.
      alias: {
        'react/jsx-runtime': 'preact/jsx-runtime',
        'react-dom': 'preact/compat',
        react: 'preact/compat',
      },
    },
    build: {
      outDir,
      emptyOutDir: false,
      assetsDir: 'static/web',
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(root, page),
        onLog(level, log, handle) {
          // Libraries say so for servers that render; this one does not.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
        },
      },
    },
  });
}
