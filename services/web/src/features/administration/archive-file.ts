/** What can be gone on with: an archive of which a part has arrived. */
export interface Begun {
  upload_id: string | null;
  file_name: string;
  bytes: number;
}

/** Whether a file may be the one of which a part has arrived. */
export const isSameFile = (file: Pick<File, 'name' | 'size'>, { file_name, bytes }: Begun): boolean =>
  file.size === bytes && file.name === file_name;

/** What is refused for a moment only is sent again. */
export const isForAMoment = (status: number | undefined): boolean =>
  status === undefined || status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;

/** The sentence of a refusal; undefined if the answer has none. */
export function sentenceIn(body: string | undefined): string | undefined {
  try {
    const { msg } = JSON.parse(body ?? '') as { msg?: unknown };
    return typeof msg === 'string' && msg !== '' ? msg : undefined;
  } catch {
    return undefined;
  }
}
