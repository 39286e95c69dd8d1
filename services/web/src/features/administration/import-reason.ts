import type { ReasonCode } from '@parley/client';

import { reasonText } from '../../strings/import-reasons.ts';
import { type Coded, type CodedText, sayCoded } from './coded-text.ts';

/** Each code of the server has its sentence here. */
const sentences: Readonly<Record<ReasonCode, CodedText>> = reasonText;

/** Returns a sentence of a plan in the language of the page, or in English where the page does not know its code. */
export const reasonOf = (english: string, coded: Coded): string => sayCoded(sentences, coded) ?? english;
