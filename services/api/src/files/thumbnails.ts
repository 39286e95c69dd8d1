import { buffer } from 'node:stream/consumers';

import type { AttachmentRow } from '@parley/db';
import { type FileStore, ImageRefused, renderThumbnail } from '@parley/files';
import * as model from '@parley/model';
import { notReady, thumbnailFormats } from '@parley/protocol';

import type { StoredFile, ThumbnailFormat } from '../endpoint/bytes.ts';

type Format = ThumbnailFormat;

/** What is known of a picture that was uploaded. */
type Upload = Pick<AttachmentRow, 'pathId' | 'ownerId'>;

const [still, animated] = thumbnailFormats;

/** Returns the format that a name asks for, or the nearest available one. */
export function formatOf(name: string, frames: number): Format {
  return frames > 1 && name.includes('-anim') ? animated : still;
}

/** Makes each thumbnail when it is first requested. Requests in the meantime wait for the same work. */
export function createThumbnails(
  store: FileStore,
): (upload: Upload, format: Format) => Promise<StoredFile | undefined> {
  const making = new Map<string, Promise<StoredFile | undefined>>();

  async function find(key: string) {
    const file = await store.open(key);
    if (!file) return undefined;
    file.body.destroy();
    return { key, bytes: file.bytes };
  }

  async function make({ pathId, ownerId }: Upload, key: string, format: Format) {
    const existing = await find(key);
    if (existing) return existing;
    const original = await store.open(model.files.uploadPlace(pathId).original);
    if (!original) return undefined;
    const { max_width: maxWidth, max_height: maxHeight, name } = format;
    const options = { name, maxWidth, maxHeight, isAnimated: format.animated };
    const picture = await renderThumbnail(ownerId, () => buffer(original.body), options).catch(
      (error: unknown) => {
        original.body.destroy();
        if (!(error instanceof ImageRefused)) throw error;
        if (error.reason === 'not-now') throw notReady('pictures');
      },
    );
    if (!picture) return undefined;
    await store.put(key, picture, 'image/webp');
    return { key, bytes: picture.length };
  }

  return (upload, format) => {
    const key = model.files.uploadPlace(upload.pathId).variant(format.name);
    const running = making.get(key);
    if (running) return running;
    const work = make(upload, key, format).finally(() => making.delete(key));
    making.set(key, work);
    return work;
  };
}
