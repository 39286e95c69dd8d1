import { join } from 'node:path';

/** Returns the script that stands in the page itself: what it asks the server for waits for nothing that has to be fetched. */
export async function bundleEarly(root: string): Promise<string> {
  const { build } = await import('vite');
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Rooms resolve to their sources.
    resolve: { conditions: ['source', 'module', 'browser', 'production'] },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(root, 'src/app/early.ts'), output: { format: 'iife' } },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const script = outputs.find((one) => one.type === 'chunk');
  if (!script || script.code.includes('</script'))
    throw new Error('The early script cannot stand in a page.');
  return script.code.trim();
}
