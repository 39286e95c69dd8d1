import { type Expression, type Node, Visitor, parseSync } from 'oxc-parser';

import { type SourceFile, filesIn, isTest } from './source-files.ts';

/** A text of the catalogue as it is written; `names` are the arguments of a message, null for a text without any. */
export interface WrittenText {
  text: string;
  names: string[] | null;
}

const stringOf = (node: Node | undefined): string | null =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;

/** Adds the texts of a part of the catalogue, each under the key that its place says. */
function addTexts(texts: Map<string, WrittenText>, key: string, node: Expression): void {
  const text = stringOf(node);
  if (text !== null) return void texts.set(key, { text, names: null });
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'icu') {
    const [message, ...names] = node.arguments.map(stringOf);
    if (typeof message !== 'string') throw new Error(`${key} is no message.`);
    return void texts.set(key, { text: message, names: names.map(String) });
  }
  if (node.type !== 'ObjectExpression') throw new Error(`${key} is neither a text nor texts: ${node.type}.`);
  for (const property of node.properties) {
    if (property.type !== 'Property') throw new Error(`${key} has a part that is not written out.`);
    const { key: name, value } = property;
    const part = name.type === 'Identifier' ? name.name : name.type === 'Literal' ? String(name.value) : '';
    addTexts(texts, `${key}.${part}`, value);
  }
}

/** Returns the texts that a file puts into the catalogue, by their keys. */
export function textsOf({ path, text }: SourceFile): Map<string, WrittenText> {
  const texts = new Map<string, WrittenText>();
  new Visitor({
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'catalogue') return;
      const [name, part] = node.arguments;
      const key = stringOf(name);
      if (key !== null && part && part.type !== 'SpreadElement') addTexts(texts, key, part);
    },
  }).visit(parseSync(path, text).program);
  return texts;
}

/** Returns all texts that the files of a folder put into a catalogue. */
export const catalogueTexts = (folder: string): Map<string, WrittenText> =>
  new Map(
    filesIn(folder)
      .filter((file) => !isTest(file))
      .flatMap((file) => [...textsOf(file)]),
  );
