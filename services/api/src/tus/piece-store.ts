import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import * as actions from '@parley/actions';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, fileTimes, limits } from '@parley/protocol';
import { DataStore, ERRORS, Metadata, Upload } from '@tus/server';

import type { RequestContext } from '../endpoint/context.ts';
import { storeUpload } from '../files/store-upload.ts';
import { readName, readType } from '../http/receive.ts';

/** What arrives is stored in pieces of this size, so that a node that dies loses no more. */
const pieceBytes = 4 * 1024 * 1024;

/** A refusal in the words of the protocol of resumable uploads. */
export class TusRefusal extends Error {
  readonly status_code: number;
  readonly body: string;
  constructor({ status_code, body }: { status_code: number; body: string }) {
    super(body);
    this.status_code = status_code;
    this.body = body;
  }
}

/** What has arrived of a file and is not stored yet. */
class Pieces {
  private waiting: Buffer[] = [];
  waitingBytes = 0;
  private start: number;
  private readonly store: (start: number, content: Buffer) => Promise<void>;

  constructor(start: number, store: (start: number, content: Buffer) => Promise<void>) {
    this.start = start;
    this.store = store;
  }

  /** The place behind everything that has arrived. */
  get end(): number {
    return this.start + this.waitingBytes;
  }

  add(chunk: Buffer): void {
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
  }

  /** Stores what waits as one piece. */
  async flush(): Promise<void> {
    if (this.waitingBytes === 0) return;
    const piece = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    await this.store(this.start, piece);
    this.start += piece.length;
  }
}

/** What a client has said of a file, and the name and type that follow from it. */
function describeFile(metadata: string | null): { name: string; contentType: string } {
  const said = metadata === null ? {} : Metadata.parse(metadata);
  const name = readName(said['filename'] ?? undefined);
  return { name, contentType: readType(said['filetype'] ?? '', name) };
}

/**
 * The uploads of one account that arrive in pieces. Pieces are in the file store and listed in Postgres, so that any node
 * can take the next one. Of two requests that write at one place, one succeeds. The last piece counts as received when the
 * whole file has become an upload.
 */
export class PieceStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'expiration', 'termination'];
  /** Why a piece was not stored. The library would say of some of these only that the request was aborted. */
  failure: unknown;
  private readonly context: RequestContext<unknown, Actor>;

  constructor(context: RequestContext<unknown, Actor>) {
    super();
    this.context = context;
  }

  override getExpiration(): number {
    return fileTimes.partialUploadMs;
  }

  override async create(upload: Upload): Promise<Upload> {
    const { actor, files, perform } = this.context;
    const metadata = upload.metadata ? Metadata.stringify(upload.metadata) : null;
    if ((metadata ?? '').length > limits.uploadMetadataLength) {
      const msg = `Upload-Metadata can have at most ${limits.uploadMetadataLength} characters.`;
      throw new ApiError('BAD_REQUEST', msg);
    }
    const { id, size: bytes = 0 } = upload;
    const announced = { id, bytes, metadata, now: this.now() };
    await perform(actions.partialUploads.create, { actor, ...announced, quotas: files.quotas });
    upload.creation_date = announced.now.toISOString();
    if (bytes === 0) await this.finish(await this.find(id), 0, Buffer.alloc(0));
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { bytes, received, metadata, createdAt } = await this.find(id);
    return new Upload({
      id,
      size: bytes,
      offset: received,
      ...(metadata !== null && { metadata: Metadata.parse(metadata) }),
      creation_date: createdAt.toISOString(),
    });
  }

  /** Stores what arrives, also of a connection that breaks. Returns the place behind it. */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { bytes } = await this.find(id);
    const pieces = new Pieces(offset, (start, content) =>
      this.append(id, start, content).catch((error: unknown) => {
        this.failure ??= error;
        throw error;
      }),
    );
    try {
      for await (const chunk of stream) {
        // Safe: the stream is one of bytes.
        pieces.add(chunk as Buffer);
        // What may be the last piece waits for the end of the request.
        if (pieces.waitingBytes >= pieceBytes && pieces.end < bytes) await pieces.flush();
      }
    } finally {
      await pieces.flush();
    }
    return pieces.end;
  }

  override async remove(id: string): Promise<void> {
    const { actor, perform } = this.context;
    const { isRemoved } = await perform(actions.partialUploads.remove, { actor, id });
    if (!isRemoved) throw new TusRefusal(ERRORS.FILE_NOT_FOUND);
  }

  /** The path id of the upload that the pieces have become, and the file's name. */
  async finished(id: string): Promise<{ pathId: string; name: string }> {
    const { pathId, metadata } = await this.find(id);
    if (pathId === null) throw new Error(`Upload ${id} is complete and has not become one.`);
    return { pathId, name: describeFile(metadata).name };
  }

  private now(): Date {
    return new Date(this.context.clock.nowMs());
  }

  private async find(id: string) {
    const { actor, snapshot } = this.context;
    const upload = await snapshot((tx) => model.partialUploads.findPartialUpload(tx, actor, id));
    if (!upload) throw new TusRefusal(ERRORS.FILE_NOT_FOUND);
    if (upload.expiresAt <= this.now()) throw new TusRefusal(ERRORS.FILE_NO_LONGER_EXISTS);
    return upload;
  }

  private async append(id: string, start: number, content: Buffer): Promise<void> {
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
  private async finish(upload: Awaited<ReturnType<PieceStore['find']>>, start: number, last: Buffer) {
    const { actor, files, perform } = this.context;
    const { id, bytes, metadata } = upload;
    const folder = await mkdtemp(join(tmpdir(), 'parley-upload-'));
    try {
      const file = join(folder, 'whole');
      await this.join(id, file);
      await appendFile(file, last);
      const received = { ...describeFile(metadata), source: { file, bytes } };
      await storeUpload(this.context, received, async (stored) => {
        const piece = { id, start, bytes: last.length, now: this.now() };
        const input = { actor, piece, upload: stored, quotas: files.quotas };
        const { isFinished } = await perform(actions.partialUploads.finish, input);
        if (!isFinished) throw new TusRefusal(ERRORS.INVALID_OFFSET);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
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
