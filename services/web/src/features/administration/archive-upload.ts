import { signal } from '@preact/signals';

import { showError, showToast } from '../../base/toasts/toasts.tsx';
import { connection } from '../../data/session/session.ts';
import { type Begun, isForAMoment, sentenceIn } from './archive-file.ts';

/** Below what proxies take in a request. */
const chunkBytes = 16 * 1024 * 1024;
const retryDelays = [0, 1000, 3000, 5000, 10_000, 20_000, 40_000];
const path = '/realm/import_archives';

/** An archive on its way to the server. */
export interface UnderwayArchive {
  received: number;
  isPaused: boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** The archive that this page sends; null if it sends none. It goes on while other pages are shown. */
export const underway = signal<UnderwayArchive | null>(null);

/**
 * Sends an archive, from where it was broken off if it was.
 *
 * @param source the product that it comes from; empty where that is told from its content
 * @param onStep is called when it is announced and when it has ended
 */
export async function sendArchive(
  file: File,
  begun: Begun | null,
  { source, onStep }: { source: string; onStep: () => void },
): Promise<void> {
  const { Upload } = await import('tus-js-client');
  const { url } = connection().addressOf(path);
  const change = (part: Partial<UnderwayArchive>) => {
    if (underway.peek()) underway.value = { ...underway.peek(), ...part } as UnderwayArchive;
  };
  const end = () => {
    underway.value = null;
    onStep();
  };
  const upload = new Upload(file, {
    endpoint: url,
    ...(begun?.upload_id && { uploadUrl: `${url}/${begun.upload_id}` }),
    metadata: { filename: file.name, filetype: file.type, ...(source !== '' && { source }) },
    chunkSize: chunkBytes,
    retryDelays,
    storeFingerprintForResuming: false,
    // The token that shows that this page sends it may change meanwhile.
    onBeforeRequest(request) {
      for (const [name, value] of Object.entries(connection().addressOf(path).headers)) {
        request.setHeader(name, value);
      }
    },
    onShouldRetry: (error) => isForAMoment(error.originalResponse?.getStatus()),
    onUploadUrlAvailable() {
      // It is at the address by which the page came, whichever of the organization's that is.
      upload.url = new URL(upload.url ?? '', location.href).pathname;
      onStep();
    },
    onProgress: (received) => change({ received }),
    onSuccess: end,
    onError(error) {
      end();
      const said = 'originalResponse' in error ? error.originalResponse?.getBody() : undefined;
      const sentence = sentenceIn(said);
      if (sentence === undefined) showError(error);
      else showToast(sentence, 'refusal');
    },
  });
  underway.value = {
    received: 0,
    isPaused: false,
    pause() {
      void upload.abort();
      change({ isPaused: true });
    },
    resume() {
      change({ isPaused: false });
      upload.start();
    },
  };
  upload.start();
}
