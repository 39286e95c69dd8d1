import { signal } from '@preact/signals';

import { createCounter } from '../../base/functions/counter.ts';
import { showToast, showError } from '../../base/toasts/toasts.tsx';
import { uploadText } from '../../strings/compose.ts';
import { own } from '../live/state.ts';
import { connection } from '../session/session.ts';
import { appendContent, composition } from './composition.ts';
import { drafts, putDraft } from './store.ts';

/** A file on its way to the server. */
export interface UnderwayUpload {
  id: number;
  name: string;
  /** From 0 to 1. */
  progress: number;
  readonly cancel: () => void;
}

export const uploads = signal<readonly UnderwayUpload[]>([]);

const nextId = createCounter();

function change(id: number, progress: number | null): void {
  uploads.value = uploads.peek().flatMap((one) => {
    if (one.id !== id) return [one];
    return progress === null ? [] : [{ ...one, progress }];
  });
}

/** A link as Markdown writes it: brackets in its text would end it. */
const linkTo = (name: string, url: string) => `[${name.replaceAll(/[[\]\n]/g, ' ')}](${url})`;

/**
 * Sends files, and puts links to them into the text that is being written.
 * @param draftId the draft that they are for; null for a text that is no draft
 */
export function upload(
  files: readonly File[],
  insert: (text: string) => void,
  draftId: string | null = composition.peek()?.id ?? null,
): void {
  for (const file of files) void uploadOne(file, insert, draftId);
}

async function uploadOne(file: File, insert: (text: string) => void, draftId: string | null): Promise<void> {
  const mib = Number(own('max_file_upload_size_mib'));
  if (file.size > mib * 1024 * 1024) {
    showToast(mib === 0 ? uploadText.disabled : uploadText.tooLarge(file.name, mib), 'refusal');
    return;
  }
  const uploading = new AbortController();
  const id = nextId();
  uploads.value = [...uploads.peek(), { id, name: file.name, progress: 0, cancel: () => uploading.abort() }];
  try {
    const { url, filename } = await connection().upload<{ url: string; filename: string }>(
      '/user_uploads',
      file,
      {
        signal: uploading.signal,
        onProgress: (progress) => change(id, progress),
      },
    );
    deliver(draftId, linkTo(filename, url), insert);
  } catch (error) {
    if (!uploading.signal.aborted) showError(error);
  } finally {
    change(id, null);
  }
}

/** Inserts the link, or adds it to the draft that it was meant for if that is not open any more. */
function deliver(draftId: string | null, link: string, insert: (text: string) => void): void {
  const draft = draftId === null ? undefined : drafts.peek().get(draftId);
  const now = composition.peek();
  if (draftId === null || now?.id === draftId) insert(`${link}\n`);
  else if (draft) putDraft({ ...draft, content: `${draft.content.trimEnd()}\n${link}` });
  else appendContent(link);
}
