import { join } from 'node:path';

import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/** Bundles a page below the folder of the web client, with all that it names. */
export async function bundle(root: string, page: string, outDir: string): Promise<void> {
  const { build } = await import('vite');
  const starter = join(root, 'src/app/start.ts');
  const program = join(root, 'src/app/main.tsx');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [fetchedAtOnce(program)],
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
        output: { codeSplitting: { groups: [oneScript('start', starter, 2), oneScript('app', program, 1)] } },
      },
    },
  });
}

/**
 * Keeps what a module imports statically in one script, except what a group of a higher priority has. Otherwise each set of
 * modules that some views share would be a script of its own. The module itself stays outside: what starts the page waits
 * for the program, which must not import it.
 */
function oneScript(name: string, module: string, priority: number): Rolldown.CodeSplittingGroup {
  let modules: ReadonlySet<string> | undefined;
  return {
    name: (id, graph) => ((modules ??= importedBy(module, graph)).has(id) ? name : null),
    debugName: name,
    priority,
  };
}

/** Returns what a module imports statically, at any depth. */
function importedBy(module: string, graph: Rolldown.ChunkingContext): Set<string> {
  const found = new Set(graph.getModuleInfo(module)?.importedIds);
  // A set goes on with what is added to it meanwhile.
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/**
 * A page's script imports the program when it has chosen the language: the page names that, so that a browser fetches it
 * at once.
 */
const fetchedAtOnce = (program: string): Plugin => ({
  name: 'fetched-at-once',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle: built = {} }) {
      const scripts = new Map<string, Rolldown.OutputChunk>();
      const add = (file: string) => {
        const chunk = built[file];
        if (chunk?.type !== 'chunk' || scripts.has(file)) return;
        scripts.set(file, chunk);
        chunk.imports.forEach(add);
      };
      for (const file of Object.values(built)) {
        if (file.type === 'chunk' && file.facadeModuleId === program) add(file.fileName);
      }
      const styles = [...scripts.values()].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
      const linkTo = (rel: string, files: Iterable<string>) =>
        [...new Set(files)]
          .filter((file) => !html.includes(`"/${file}"`))
          .map((file) => link({ rel, crossorigin: true, href: `/${file}` }));
      return [...linkTo('modulepreload', scripts.keys()), ...linkTo('stylesheet', styles)];
    },
  },
});

const link = (attrs: NonNullable<HtmlTagDescriptor['attrs']>): HtmlTagDescriptor => ({
  tag: 'link',
  attrs,
  injectTo: 'head',
});
