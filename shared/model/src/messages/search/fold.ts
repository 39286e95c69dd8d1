const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  Æ: 'AE',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ё: 'е',
  Ё: 'Е',
  ى: 'ي',
  ة: 'ه',
  ς: 'σ',
};

const isAscii = (text: string) => !/[^\0-\u007F]/.test(text);

/**
 * Returns a text as searches compare it: width, ligatures, accents of Latin and Greek letters, and vowel signs of Arabic
 * make no difference. The database's `fold_text` does the same. Case is kept.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFKD')
    .replaceAll(/([A-Za-z\u0370-\u03FF])[\u0300-\u036F]+|[\u0640\u064B-\u0655]+/g, '$1')
    .normalize('NFKC')
    .replaceAll(/[ßæœÆŒøØłŁđĐıёЁىةς]/g, (letter) => spelled[letter] ?? letter);
}

/** Characters of scripts that are written without spaces, or with particles behind their words. */
const run = String.raw`[\u3041-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uAC00-\uD7AF]`;
export const isRun = (text: string): boolean => new RegExp(`^${run}+$`).test(text);

/** The same words in texts in which there are no others: it takes a fifth of the time. */
const asciiPieces = /[A-Za-z0-9]+/g;
const pieces = new RegExp(`${run}+|(?:(?!${run})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** A piece of a text that is a word, or a run of characters without spaces, and where it begins. */
export interface Piece {
  text: string;
  at: number;
}

/** Returns the words of a text as it is written, and its runs of characters of scripts without spaces. */
export const piecesOf = (text: string): Piece[] =>
  [...text.matchAll(isAscii(text) ? asciiPieces : pieces)].map(({ 0: piece, index }) => ({
    text: piece,
    at: index,
  }));

/** Returns the words of a text as searches compare them, and its runs. */
export const wordsOf = (text: string): string[] =>
  piecesOf(foldText(text)).map((piece) => piece.text.toLowerCase());
