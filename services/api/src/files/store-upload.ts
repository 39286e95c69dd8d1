import * as actions from '@parley/actions';
import { ImageRefused, imageBytesMax, readImage } from '@parley/files';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { limits } from '@parley/protocol';

import type { RequestContext } from '../endpoint/context.ts';
import type { ReceivedFile } from '../http/receive.ts';
import { storeFile } from './store-file.ts';

export const fileTooLarge = `A file can have at most ${limits.uploadMebibytes} MiB.`;

/** The dimensions and type of a picture; null for any other file and for one that can have no thumbnails. */
async function findImage({ source }: ReceivedFile) {
  if (source.bytes > imageBytesMax) return null;
  return await readImage(source.file).catch((error: unknown) => {
    if (error instanceof ImageRefused) return null;
    throw error;
  });
}

type UploadContext = Pick<
  RequestContext<unknown, Actor>,
  'actor' | 'realm' | 'files' | 'snapshot' | 'perform' | 'writeWithoutLog' | 'clock'
>;

/**
 * Stores a file that has arrived as an upload of the actor, and returns its path id. `record` performs
 * the action that creates the upload.
 *
 * @throws REALM_UPLOAD_QUOTA when the uploads of the realm or of the actor would take more than a quota
 */
export async function storeUpload(
  context: UploadContext,
  file: ReceivedFile,
  record: (upload: actions.attachments.NewAttachment) => Promise<unknown> = (upload) =>
    context.perform(actions.attachments.create, {
      actor: context.actor,
      file: upload,
      quotas: context.files.quotas,
    }),
): Promise<string> {
  const { actor, realm, files, snapshot } = context;
  const { name, source } = file;
  await snapshot(async (tx) => {
    const used = await model.attachments.getUploadUsage(tx, realm.id);
    await actions.attachments.assertWithinQuota(tx, realm.id, used + source.bytes, files.quotas);
    await actions.attachments.assertWithinUserQuota(tx, actor, source.bytes, files.quotas);
  });
  const image = await findImage(file);
  const contentType = image?.contentType ?? file.contentType;
  const pathId = model.files.newUploadPath(realm.id, name);
  const place = model.files.uploadPlace(pathId);
  const upload = { pathId, name, contentType, size: source.bytes, image };
  await storeFile(
    context,
    place.folder,
    (store) => store.put(place.original, source, contentType),
    () => record(upload),
  );
  return pathId;
}
