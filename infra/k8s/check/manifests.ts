import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { parseAllDocuments } from 'yaml';

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
}

export interface Manifest extends KubeObject {
  spec: Record<string, unknown>;
  /** The file that it stands in, from the folder of all. */
  file: string;
}

/** Returns the objects of a text of several documents. @throws Error that names the place */
export function readObjects(text: string, place: string): KubeObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${place}: ${String(document.errors[0])}`);
    // Safe: only what an object must have is read before its schema has been asked.
    const object = document.toJS() as KubeObject | null;
    return object === null ? [] : [object];
  });
}

/** Every object that stands in the base and the overlays; charts are no objects. Patches are parts of objects, kustomizations and components are none. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  const patches = new Set<string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !entry.name.endsWith('.yaml') || path.startsWith(join(folder, 'chart'))) continue;
    for (const read of readObjects(await readFile(path, 'utf8'), path)) {
      const object: KubeObject & { patches?: { path?: string }[] } = read;
      if (object.kind === 'Kustomization' || object.kind === 'Component') {
        for (const { path: patch } of object.patches ?? [])
          if (patch) patches.add(join(entry.parentPath, patch));
      } else if (object.kind) manifests.push({ spec: {}, ...object, file: path });
    }
  }
  return manifests
    .filter(({ file }) => !patches.has(file))
    .map((manifest) => ({ ...manifest, file: relative(folder, manifest.file) }));
}

/** The part of a Deployment that kustomization.yaml lays over all of them. */
export async function readPatch(path: string): Promise<Manifest> {
  const [document] = parseAllDocuments(await readFile(path, 'utf8'));
  return document?.toJS() as Manifest;
}
