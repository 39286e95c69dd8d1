import { arabic } from './arabic.ts';
import { chinese } from './chinese.ts';
import { code } from './code.ts';
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import type { Judged } from './judged.ts';
import { korean } from './korean.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

/** What is searched for in each language, and in code. */
export const judged: readonly Judged[] = [
  english,
  code,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  russian,
  arabic,
  japanese,
  chinese,
  korean,
];
