import { Unreachable } from './errors.ts';
import { read } from './read.ts';

export interface Upload {
  /** Is called while the file is sent, with the fraction that has been sent. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
  /** The name that the server keeps; the file's own, if undefined. */
  name?: string;
}

interface Target {
  url: string;
  headers: Record<string, string>;
  ask: typeof fetch;
}

/**
 * Sends a file. Browsers report the progress of a body to XMLHttpRequest alone; elsewhere it is sent by `fetch`, and the
 * progress is known at its end.
 */
export async function upload(target: Target, file: File, options: Upload = {}): Promise<unknown> {
  const form = new FormData();
  form.append('file', file, options.name ?? file.name);
  options.signal?.throwIfAborted();
  if (typeof XMLHttpRequest !== 'undefined') return await sendWithProgress(target, form, options);
  const { url, headers, ask } = target;
  const signal = options.signal ?? null;
  try {
    const response = await ask(url, { method: 'POST', headers, body: form, signal });
    const reply = [response.status, response.headers.get('retry-after'), await response.text()] as const;
    options.onProgress?.(1);
    return read(...reply);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error instanceof TypeError ? new Unreachable(error) : error;
  }
}

function sendWithProgress({ url, headers }: Target, form: FormData, { onProgress, signal }: Upload) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort);
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded / total));
    request.addEventListener('error', () => reject(new Unreachable(undefined)));
    request.addEventListener('abort', () => reject(signal?.reason as Error));
    request.addEventListener('load', () => {
      try {
        resolve(read(request.status, request.getResponseHeader('retry-after'), request.responseText));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.send(form);
  });
}
