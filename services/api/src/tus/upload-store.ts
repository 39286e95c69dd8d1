import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import * as actions from '@parley/actions';
import type { PartialUploadRow } from '@parley/db';
import { makeWorkFolder } from '@parley/kit';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { fileTimes } from '@parley/protocol';
import { ERRORS } from '@tus/server';

import type { RequestContext } from '../endpoint/context.ts';
import { storeUpload } from '../files/store-upload.ts';
import { type Arrived, PieceStore, TusRefusal, describeFile } from './piece-store.ts';

/** The uploads of one account that arrive in pieces. The last piece counts as received when the whole file has become an upload. */
export class UploadStore extends PieceStore<PartialUploadRow> {
  private readonly context: RequestContext<unknown, Actor>;

  constructor(context: RequestContext<unknown, Actor>) {
    super();
    this.context = context;
  }

  override getExpiration(): number {
    return fileTimes.partialUploadMs;
  }

  protected override async announce(id: string, bytes: number, metadata: string | null): Promise<Date> {
    const { actor, files, perform } = this.context;
    const announced = { id, bytes, metadata, now: this.now() };
    await perform(actions.partialUploads.create, { actor, ...announced, quotas: files.quotas });
    if (bytes === 0) await this.finish(await this.find(id), 0, Buffer.alloc(0));
    return announced.now;
  }

  protected override async giveUp(id: string): Promise<boolean> {
    const { actor, perform } = this.context;
    return (await perform(actions.partialUploads.remove, { actor, id })).isRemoved;
  }

  override async finished(id: string): Promise<Arrived> {
    const { pathId, metadata } = await this.find(id);
    if (pathId === null) throw new Error(`Upload ${id} is complete and has not become one.`);
    return { url: `/user_uploads/${pathId}`, filename: describeFile(metadata).name };
  }

  protected override now(): Date {
    return new Date(this.context.clock.nowMs());
  }

  protected override async look(id: string): Promise<PartialUploadRow | undefined> {
    const { actor, snapshot } = this.context;
    return await snapshot((tx) => model.partialUploads.findPartialUpload(tx, actor, id));
  }

  protected override async append(id: string, start: number, content: Buffer): Promise<void> {
    const { actor, realm, files, perform } = this.context;
    const upload = await this.find(id);
    if (start + content.length === upload.bytes) return await this.finish(upload, start, content);
    // The name is this request's own: another that writes at the same place disturbs nothing.
    const name = `${start}-${randomBytes(9).toString('base64url')}`;
    await files.store.put(
      `${model.files.partialUploadFolder(realm.id, id)}/${name}`,
      content,
      'application/octet-stream',
    );
    const piece = { id, start, bytes: content.length, name, now: this.now() };
    const { isAppended } = await perform(actions.partialUploads.append, { actor, piece });
    if (!isAppended) throw new TusRefusal(ERRORS.INVALID_OFFSET);
  }

  /** Makes an upload of all pieces, of which the last has just arrived. */
  private async finish(upload: PartialUploadRow, start: number, last: Buffer) {
    const { actor, files, perform } = this.context;
    const { id, bytes, metadata } = upload;
    await using folder = await makeWorkFolder('upload');
    const file = join(folder.path, 'whole');
    await this.join(id, file);
    await appendFile(file, last);
    const received = { ...describeFile(metadata), source: { file, bytes } };
    await storeUpload(this.context, received, async (stored) => {
      const piece = { id, start, bytes: last.length, now: this.now() };
      const input = { actor, piece, upload: stored, quotas: files.quotas };
      const { isFinished } = await perform(actions.partialUploads.finish, input);
      if (!isFinished) throw new TusRefusal(ERRORS.INVALID_OFFSET);
    });
  }

  private async join(id: string, file: string): Promise<void> {
    const { realm, files, snapshot } = this.context;
    for (const name of await snapshot((tx) => model.partialUploads.listPieces(tx, realm, id))) {
      const piece = await files.store.open(`${model.files.partialUploadFolder(realm.id, id)}/${name}`);
      // Another request has finished the upload, and its pieces are gone.
      if (!piece) throw new TusRefusal(ERRORS.INVALID_OFFSET);
      await pipeline(piece.body, createWriteStream(file, { flags: 'a' }));
    }
  }
}
