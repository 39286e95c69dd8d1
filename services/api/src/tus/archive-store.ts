import { randomBytes } from 'node:crypto';

import * as actions from '@parley/actions';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type ImportSource, importLimits, importSources } from '@parley/protocol';
import { ERRORS, Metadata } from '@tus/server';
import { z } from 'zod';

import type { RequestContext } from '../endpoint/context.ts';
import { type Arrived, type Arriving, PieceStore, TusRefusal, describeFile } from './piece-store.ts';

const Source = z.enum(importSources);

/** Reads which product an archive is said to come from; null if that is not said. */
function readSource(metadata: string | null): ImportSource | null {
  const said = metadata === null ? undefined : Metadata.parse(metadata)['source'];
  if (said === undefined || said === null) return null;
  const source = Source.safeParse(said);
  if (source.success) return source.data;
  throw new ApiError('BAD_REQUEST', `The source of an archive is one of ${importSources.join(', ')}.`);
}

/** The archive that owners import into their organization, as it arrives. Its pieces stay as they are until a worker reads them. */
export class ArchiveStore extends PieceStore<Arriving & { id: number }> {
  private readonly context: RequestContext<unknown, Actor>;

  constructor(context: RequestContext<unknown, Actor>) {
    super();
    this.context = context;
  }

  override getExpiration(): number {
    return importLimits.keptMs;
  }

  protected override async announce(uploadId: string, bytes: number, metadata: string | null): Promise<Date> {
    const { actor, imports, perform } = this.context;
    const now = this.now();
    const fileName = describeFile(metadata).name;
    const announced = {
      uploadId,
      bytes,
      fileName,
      source: readSource(metadata),
      bytesMax: imports.bytesMax,
      now,
    };
    await perform(actions.archiveImports.announce, { actor, ...announced });
    return now;
  }

  protected override async giveUp(uploadId: string): Promise<boolean> {
    const { actor, perform } = this.context;
    const archive = await this.look(uploadId);
    if (!archive) return false;
    await perform(actions.archiveImports.cancel, { actor, id: archive.id, now: this.now() });
    return true;
  }

  override async finished(uploadId: string): Promise<Arrived> {
    const { actor, snapshot } = this.context;
    const row = await snapshot((tx) => model.archiveImports.findImportByUpload(tx, actor.realm, uploadId));
    if (!row) throw new TusRefusal(ERRORS.FILE_NOT_FOUND);
    return { id: row.id };
  }

  protected override now(): Date {
    return new Date(this.context.clock.nowMs());
  }

  protected override async look(uploadId: string): Promise<(Arriving & { id: number }) | undefined> {
    const { actor, snapshot } = this.context;
    model.permissions.assertOwner(actor);
    const row = await snapshot((tx) => model.archiveImports.findImportByUpload(tx, actor.realm, uploadId));
    return row?.status === 'uploading' ? { ...row, metadata: null } : undefined;
  }

  protected override async append(uploadId: string, start: number, content: Buffer): Promise<void> {
    const { actor, realm, files, perform } = this.context;
    await this.find(uploadId);
    // The name is this request's own: another that writes at the same place disturbs nothing.
    const name = `${start}-${randomBytes(9).toString('base64url')}`;
    const folder = model.files.importFolder(realm.id, uploadId);
    await files.store.put(`${folder}/${name}`, content, 'application/octet-stream');
    const piece = { uploadId, start, bytes: content.length, name, now: this.now() };
    const { isAppended } = await perform(actions.archiveImports.append, { actor, piece });
    if (!isAppended) throw new TusRefusal(ERRORS.INVALID_OFFSET);
  }
}
