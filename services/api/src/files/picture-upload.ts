import { ImageRefused } from '@parley/files';
import { ApiError, limits, notReady } from '@parley/protocol';

import type { ReceivedFile, UploadLimit } from '../http/receive.ts';

const { pictureMebibytes } = limits;

/** The limit of the pictures that stand for somebody or something. */
export const pictureLimit: UploadLimit = {
  mebibytesMax: pictureMebibytes,
  tooLarge: `A picture can have at most ${pictureMebibytes} MiB.`,
};

const reasons: Record<Exclude<ImageRefused['reason'], 'not-now'>, string> = {
  'not-an-image': 'This file is not an image that the server can read.',
  'too-many-pixels': 'This image has too many pixels.',
  broken: 'This image is damaged or incomplete.',
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
 * Returns the path of the one file that came with a request.
 *
 * @throws BAD_REQUEST with the message `refusal` for none, and for several
 */
export function onlyFile([file, another]: readonly ReceivedFile[], refusal: string): string {
  if (!file || another) throw new ApiError('BAD_REQUEST', refusal);
  return file.source.file;
}
