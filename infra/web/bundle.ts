import { join } from 'node:path';

import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/** Bundles a page below the folder of the web client, with all that it names. */
export async function bundle(root: string, page: string, outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [fetchedAtOnce],
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

/**
 * A page's script may import what it shows when it has chosen the language: the page names that, so that a browser fetches
 * it at once.
 */
const fetchedAtOnce: Plugin = {
  name: 'fetched-at-once',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle: built = {}, chunk: entry }) {
      const scripts = new Map<string, Rolldown.OutputChunk>();
      const add = (file: string) => {
        const chunk = built[file];
        if (chunk?.type !== 'chunk' || scripts.has(file)) return;
        scripts.set(file, chunk);
        chunk.imports.forEach(add);
      };
      entry?.dynamicImports.filter((file) => /\/main-/.test(file)).forEach(add);
      const styles = [...scripts.values()].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
      const linkTo = (rel: string, files: Iterable<string>) =>
        [...new Set(files)]
          .filter((file) => !html.includes(`"/${file}"`))
          .map((file) => link({ rel, crossorigin: true, href: `/${file}` }));
      return [...linkTo('modulepreload', scripts.keys()), ...linkTo('stylesheet', styles)];
    },
  },
};

const link = (attrs: NonNullable<HtmlTagDescriptor['attrs']>): HtmlTagDescriptor => ({
  tag: 'link',
  attrs,
  injectTo: 'head',
});
