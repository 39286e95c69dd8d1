import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

const exported = /export \{([^}]+)\} from '([^']+)'/g;
const defaultAs = /default as (\w+)/g;

/**
 * Bundles a page below the folder of the web client, with all that it names.
 * @param early a script that is to stand in the page, before everything that it names
 */
export async function bundle(root: string, page: string, outDir: string, early?: string): Promise<void> {
  const { build } = await import('vite');
  const texts = join(root, '../../shared/strings/src');
  // What chooses the language. It must not wait for the program: of a room, only what is named here.
  const isIndex = (id: string) => id === join(texts, 'index.ts');
  const choosing = [
    '\0vite/preload-helper.js',
    join(root, 'src/strings/load-language.ts'),
    join(texts, 'languages.ts'),
  ];
  const language = join(root, 'src/strings/catalogue.ts');
  const session = join(root, 'src/data/session/session.ts');
  const program = join(root, 'src/app/main.tsx');
  const around = join(root, 'src/app/around.ts');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [
      importedByFile('lucide-preact'),
      fetchedAtOnce([session, program]),
      compiledAtOnce(['app', 'data', 'language']),
      withScript(early),
    ],
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
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              oneScript('choosing', choosing, 4, isIndex),
              oneScript('language', [language], 3),
              oneScript('data', [session], 2),
              oneScript('app', [program], 1),
              oneScript('around', [around], 0),
            ],
          },
        },
      },
    },
  });
}

/**
 * Keeps some modules and what they import statically in one script, except what a group of a higher priority has. Otherwise
 * each set of modules that some views share would be a script of its own. What starts the page, which waits for the program
 * and must not be imported by it, is none of them.
 */
function oneScript(
  name: string,
  modules: readonly string[],
  priority: number,
  isLeft: (id: string) => boolean = () => false,
): Rolldown.CodeSplittingGroup {
  let found: ReadonlySet<string> | undefined;
  return {
    name: (id, graph) => ((found ??= withImports(modules, graph, isLeft)).has(id) ? name : null),
    debugName: name,
    priority,
  };
}

/** Returns modules with what they import statically, at any depth, except those that are left and what only they import. */
function withImports(
  modules: readonly string[],
  graph: Rolldown.ChunkingContext,
  isLeft: (id: string) => boolean,
): Set<string> {
  const found = new Set(modules);
  // A set goes on with what is added to it meanwhile.
  for (const id of found) {
    const imported = graph.getModuleInfo(id)?.importedIds ?? [];
    for (const one of imported) if (!isLeft(one)) found.add(one);
  }
  return found;
}

/**
 * Has modules import what they name from the files of a package instead of from the one module that exports them all: the
 * script of such a module would have all that any script names.
 */
function importedByFile(name: string): Plugin {
  const index = fileURLToPath(import.meta.resolve(name));
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of readFileSync(index, 'utf8').matchAll(exported)) {
    for (const [, alias = ''] of names.matchAll(defaultAs)) files.set(alias, join(dirname(index), file));
  }
  const imported = new RegExp(`import \\{([^}]+)\\} from "${name}";`, 'g');
  return {
    name: 'imported-by-file',
    transform: {
      order: 'post',
      handler: (code) =>
        code.replaceAll(imported, (_, names: string) =>
          names
            .split(',')
            .map((one) => {
              const [alias = '', local = alias] = one.trim().split(' as ');
              const file = files.get(alias);
              if (file === undefined) throw new Error(`${name} has no ${alias}.`);
              return `import ${local} from ${JSON.stringify(file)};`;
            })
            .join(' '),
        ),
    },
  };
}

/**
 * A page's script imports the program when it has sent its first requests and chosen the language: the page names all of it,
 * so that a browser fetches it at once.
 */
const fetchedAtOnce = (modules: readonly string[]): Plugin => ({
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
      const chunks = Object.values(built).filter((file) => file.type === 'chunk');
      // In the order in which they run.
      for (const id of modules) {
        for (const { facadeModuleId, fileName } of chunks) if (facadeModuleId === id) add(fileName);
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

/**
 * Most of these scripts runs at the first look. Browsers that know the comment compile all of it while it is fetched, beside
 * what else the page does, and not each function by itself when it is first called.
 */
const compiledAtOnce = (names: readonly string[]): Plugin => ({
  name: 'compiled-at-once',
  generateBundle: {
    order: 'post',
    handler(_, built) {
      for (const file of Object.values(built)) {
        if (file.type === 'chunk' && names.includes(file.name)) {
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
        }
      }
    },
  },
});

/** Puts a script into the page, before its style sheets: after them it would wait until they have been fetched. */
const withScript = (script?: string): Plugin => ({
  name: 'with-script',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      script === undefined
        ? html
        : html.replace('</title>', (end) => `${end}\n    <script>${script}</script>`),
  },
});

const link = (attrs: NonNullable<HtmlTagDescriptor['attrs']>): HtmlTagDescriptor => ({
  tag: 'link',
  attrs,
  injectTo: 'head',
});
