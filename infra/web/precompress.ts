import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const isText = /\.(?:css|html|js|json|map|svg)$/;

/** Writes the forms `.br` and `.gz` beside each text of a folder that they make shorter. */
export async function precompress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !isText.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = await readFile(path);
    const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    const forms = {
      br: await promisify(brotliCompress)(plain, { params: brotliParams }),
      gz: await promisify(gzip)(plain, { level: 9 }),
    };
    for (const [ending, bytes] of Object.entries(forms)) {
      if (bytes.length < plain.length) await writeFile(`${path}.${ending}`, bytes);
    }
  }
}
