import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { pack } from 'tar-stream';

/** Writes a compressed tar file in which all files are in one folder. */
export class TarWriter {
  readonly #root: string;
  readonly #packed = pack();
  readonly #written: Promise<void>;

  constructor(file: string, root: string) {
    this.#root = root;
    this.#written = pipeline(
      this.#packed as unknown as Readable,
      createGzip({ level: 6 }),
      createWriteStream(file, { mode: 0o600 }),
    );
    // Whoever writes hears of a failure with the file that does not end, or with the last.
    this.#written.catch(() => undefined);
  }

  async add(path: string, bytes: number, content: Readable): Promise<void> {
    const entry = this.#packed.entry({
      name: `${this.#root}/${path}`,
      size: bytes,
      mode: 0o600,
      mtime: new Date(0),
    });
    await Promise.race([pipeline(content, entry), this.#written]);
  }

  async addFile(path: string, file: string): Promise<void> {
    await this.add(path, (await stat(file)).size, createReadStream(file));
  }

  async addText(path: string, text: string | Buffer): Promise<void> {
    const content = typeof text === 'string' ? Buffer.from(text) : text;
    await this.add(path, content.length, Readable.from([content], { objectMode: false }));
  }

  async finish(): Promise<void> {
    this.#packed.finalize();
    await this.#written;
  }

  abort(): void {
    this.#packed.destroy();
  }
}
