import type { Readable } from 'node:stream';

import { ApiError, limits } from '@parley/protocol';
import { DataStore, ERRORS, Metadata, Upload } from '@tus/server';

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

/** Reads what a client has said of a file: its name and type. */
export function describeFile(metadata: string | null): { name: string; contentType: string } {
  const said = metadata === null ? {} : Metadata.parse(metadata);
  const name = readName(said['filename'] ?? undefined);
  return { name, contentType: readType(said['filetype'] ?? '', name) };
}

/** What is known of a file that arrives in pieces. */
export interface Arriving {
  bytes: number;
  received: number;
  metadata: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** What the last request of an upload is answered. */
export type Arrived = Readonly<Record<string, string | number>>;

/**
 * Files that arrive in pieces. Pieces are in the file store and listed in Postgres, so that any node can take the next one. Of
 * two requests that write at one place, one succeeds.
 */
export abstract class PieceStore<File extends Arriving = Arriving> extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'expiration', 'termination'];
  /** Why a piece was not stored. The library would say of some of these only that the request was aborted. */
  failure: unknown;

  /** Announces a file, of so many bytes, and of which that was said. Returns since when. */
  protected abstract announce(id: string, bytes: number, metadata: string | null): Promise<Date>;
  /** Returns a file that is announced, whether it is still waited for or not. */
  protected abstract look(id: string): Promise<File | undefined>;
  /** Stores a piece and records it. */
  protected abstract append(id: string, start: number, content: Buffer): Promise<void>;
  /** Gives a file up. False if there is none. */
  protected abstract giveUp(id: string): Promise<boolean>;
  /** What is said when all of a file has arrived. */
  abstract finished(id: string): Promise<Arrived>;
  protected abstract now(): Date;

  override async create(upload: Upload): Promise<Upload> {
    const metadata = upload.metadata ? Metadata.stringify(upload.metadata) : null;
    if ((metadata ?? '').length > limits.uploadMetadataLength) {
      const msg = `Upload-Metadata can have at most ${limits.uploadMetadataLength} characters.`;
      throw new ApiError('BAD_REQUEST', msg);
    }
    upload.creation_date = (await this.announce(upload.id, upload.size ?? 0, metadata)).toISOString();
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
    if (!(await this.giveUp(id))) throw new TusRefusal(ERRORS.FILE_NOT_FOUND);
  }

  protected async find(id: string): Promise<File> {
    const file = await this.look(id);
    if (!file) throw new TusRefusal(ERRORS.FILE_NOT_FOUND);
    if (file.expiresAt <= this.now()) throw new TusRefusal(ERRORS.FILE_NO_LONGER_EXISTS);
    return file;
  }
}
