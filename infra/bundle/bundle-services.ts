import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

import type { Plugin } from 'rolldown';

/** The services that are bundled, each into a few files; the command line is one of them. */
const services = ['api', 'queue', 'worker', 'cli'] as const;
type Service = (typeof services)[number];

/** Packages that stay files of their own: native code, those that read files beside them, and those that are loaded late or seldom. */
const unbundled =
  /^(?:sharp|@node-rs\/argon2|roaring-wasm|tinypool|swagger-ui-dist|@opentelemetry\/(?!api\b)[^/]+|@aws-sdk\/[^/]+|@smithy\/[^/]+|@zxcvbn-ts\/[^/]+)(?:\/|$)/;

/** What tsc built, of which source. */
const ofBuild = /\/((?:shared|services)\/\w+)\/dist\/(.*)\.js$/;

export interface ServiceBundles {
  /** The root of the checkout. */
  root: string;
  readonly say: (line: string) => void;
}

/** The program of a service in a few files, which is what runs wherever Parley runs. */
export const bundledEntry = (root: string, service: Service): string =>
  join(root, 'services', service, 'dist/bundled/main.js');

/**
 * Makes a few files of what tsc built of each service and of the packages that it imports, unless what is there was made
 * from the same files: a service starts in half the time if Node has a hundred files to find and load, not 1 400.
 */
export async function bundleServices({ root, say }: ServiceBundles): Promise<void> {
  const head = `// Made from ${await stampOf(root)}\n`;
  const isFresh = await Promise.all(
    services.map(async (service) => (await beginningOf(bundledEntry(root, service), head.length)) === head),
  );
  const stale = services.filter((_, at) => !isFresh[at]);
  if (stale.length === 0) return;

  say(`Bundling ${stale.join(', ')} …`);
  for (const service of stale) await bundle(root, service, head);
}

async function bundle(root: string, service: Service, head: string): Promise<void> {
  const entry = bundledEntry(root, service);
  const folder = dirname(entry);
  const { rolldown } = await import('rolldown');
  const bundling = await rolldown({
    input: join(folder, '../main.js'),
    platform: 'node',
    logLevel: 'warn',
    plugins: [asInPlace(root, entry)],
  });
  try {
    const { output } = await bundling.generate({
      dir: folder,
      format: 'esm',
      chunkFileNames: '[name]-[hash].js',
      banner: ({ isEntry }) => (isEntry ? head : ''),
      keepNames: true,
      sourcemap: true,
      sourcemapExcludeSources: true,
      sourcemapPathTransform: (path, map) =>
        relative(folder, resolve(dirname(map), path).replace(ofBuild, '/$1/src/$2.ts')),
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    await mkdir(folder, { recursive: true });
    // Whoever starts a service at the same time finds all of one bundle: what it begins with is replaced last.
    for (const file of output.toReversed()) {
      const text = file.type === 'chunk' ? file.code : String(file.source);
      await replaceFile(join(folder, file.fileName), text);
    }
    const made = new Set(output.map((file) => file.fileName));
    const old = (await readdir(folder)).filter((name) => /\.js(?:\.map)?$/.test(name) && !made.has(name));
    await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
  } finally {
    await bundling.close();
  }
}

/** Modules find the files beside them, and packages that stay files of their own, as if each were where it was. */
function asInPlace(root: string, entry: string): Plugin {
  const resolveFrom = (path: string, name: string) => createRequire(path).resolve(name);
  return {
    name: 'as-in-place',
    resolveId: {
      filter: { id: unbundled },
      handler(id, importer = entry) {
        if (resolveFrom(entry, id) !== resolveFrom(importer, id))
          throw new Error(
            `${relative(root, importer)} imports another ${id} than ${relative(root, entry)} would.`,
          );
        return { id, external: true };
      },
    },
    transform: {
      filter: { id: ofBuild },
      async handler(code, path) {
        if (/\bimport\.meta\.(?:dirname|filename)\b/.test(code))
          throw new Error(
            `${relative(root, path)} asks where it is in a way that no bundle answers: use import.meta.url.`,
          );
        const place = JSON.stringify(relative(dirname(entry), path));
        return {
          code: code.replaceAll('import.meta.url', () => `new URL(${place}, import.meta.url).href`),
          map: await readFile(`${path}.map`, 'utf8'),
        };
      },
    },
  };
}

/** Says from what the bundles are made: what tsc built, by its own account of the sources, and the packages as installed. */
async function stampOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  const rooms = (await readdir(join(root, 'shared'))).map((name) => `shared/${name}`);
  const files = [
    ...[...rooms, ...services.map((name) => `services/${name}`)].map((room) => `${room}/dist/.tsbuildinfo`),
    ...(await readdir(join(root, 'patches'))).map((name) => `patches/${name}`),
    'package-lock.json',
    'infra/bundle/bundle-services.ts',
  ];
  for (const file of files.sort()) {
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)).catch(() => ''))
      .update('\0');
  }
  return hash.digest('hex');
}

async function beginningOf(path: string, bytes: number): Promise<string> {
  await using file = await open(path).catch(() => null);
  const read = await file?.read(Buffer.alloc(bytes), 0, bytes, 0);
  return read ? read.buffer.toString('utf8', 0, read.bytesRead) : '';
}

async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  try {
    await writeFile(fresh, text);
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}
