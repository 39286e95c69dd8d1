import type { ArchivePlace, ImportRefusal, RefusalCode } from '@parley/client';

import { placeText, refusalText } from '../../strings/import-refusals.ts';
import { type CodedText, sayCoded } from './coded-text.ts';

/** Each code of the server has its sentence here. */
const sentences: Readonly<Record<RefusalCode, CodedText>> = refusalText;

/** The products that archives come from, as their makers call them. */
export const products = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  rocketchat: 'Rocket.Chat',
  zulip: 'Zulip',
  parley: 'Parley',
} as const;

const productOf = (name: string | number): string | number =>
  Object.entries(products).find(([known]) => known === name)?.[1] ?? name;

function placeOf({ path, line, message, document, byte }: ArchivePlace): string {
  if (line !== undefined)
    return path === undefined ? placeText.lineOfArchive(line) : placeText.line(line, path);
  if (message !== undefined) return placeText.message(message, path ?? '');
  if (document !== undefined) {
    return byte === undefined
      ? placeText.document(document, path ?? '')
      : placeText.documentAt(document, path ?? '', byte);
  }
  if (byte !== undefined)
    return path === undefined ? placeText.byteOfArchive(byte) : placeText.byte(byte, path);
  return path === undefined ? placeText.archive : placeText.file(path);
}

/** Returns why an import failed in the language of the page, or in English where the page does not know the code. */
export function failureOf({
  failure,
  failure_reason: reason,
}: {
  failure: string | null;
  failure_reason: ImportRefusal | null;
}): string {
  if (!reason) return failure ?? '';
  const values: ImportRefusal['values'] = { ...reason.values, place: placeOf(reason.values) };
  if (reason.code === 'other_product') {
    for (const [name, value] of Object.entries(reason.values)) values[name] = productOf(value);
  }
  return sayCoded(sentences, { code: reason.code, values }) ?? failure ?? '';
}
