import { ImageRefused } from '@parley/files';
import { ApiError, limits, notReady } from '@parley/protocol';

import type { ReceivedFile, UploadLimit } from '../http/receive.ts';

const { pictureMebibytes } = limits;

/** The limit of the pictures that stand for somebody or something. */
export const pictureLimit: UploadLimit = {
  mebibytesMax: pictureMebibytes,
  tooLarge: `Uploaded file is larger than the allowed limit of ${pictureMebibytes} MiB`,
};

const reasons: Record<Exclude<ImageRefused['reason'], 'not-now'>, string> = {
  'not-an-image': 'Could not decode image; did you upload an image file?',
  'too-many-pixels': 'Image size exceeds limit.',
  broken: 'Image is corrupted or truncated',
};

/**
 * Refuses a picture that was not decoded, with the reason.
 *
 * @throws BAD_IMAGE, SERVER_NOT_READY
 */
export function refusePicture(error: unknown): never {
  if (!(error instanceof ImageRefused)) throw error;
  throw error.reason === 'not-now' ? notReady('pictures') : new ApiError('BAD_IMAGE', reasons[error.reason]);
}

/**
 * The path of the one file that came with a request.
 *
 * @throws BAD_REQUEST with the message `refusal` for none, and for several
 */
export function onlyFile([file, another]: readonly ReceivedFile[], refusal: string): string {
  if (!file || another) throw new ApiError('BAD_REQUEST', refusal);
  return file.source.file;
}
