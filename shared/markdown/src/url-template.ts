const hex = '%[0-9A-Fa-f]{2}';
const name = String.raw`(?:\w|${hex})+(?:\.(?:\w|${hex})+)*`;
const variable = String.raw`${name}(?::[1-9][0-9]{0,3}|\*)?`;
const expression = String.raw`\{[+#./;?&]?${variable}(?:,${variable})*\}`;
/** Literals of RFC 6570, section 2.1, with the apostrophe of its erratum 6937. */
const literal = String.raw`[^\p{Cc}\p{Cs}\p{Cn} "%<>\\^${'`'}{|}]|${hex}`;

const template = new RegExp(`^(?:${literal}|${expression})*$`, 'u');
const expressions = new RegExp(expression, 'gu');
const names = new RegExp(name, 'gu');

/** Returns the names of the variables of an RFC 6570 template, each once; null if the text is not a template. */
export function findVariables(text: string): string[] | null {
  if (!template.test(text)) return null;
  const written = text.match(expressions) ?? [];
  // Modifiers are not part of a name: `{id:3}` is `id`.
  return [...new Set(written.flatMap((one) => one.replaceAll(/:[0-9]+/g, '').match(names) ?? []))];
}
