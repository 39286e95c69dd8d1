import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { protocolNames } from './names.ts';

/** Writes the table of Unicode emoji in `shared/model`. Run it after a change of the names or of the data set. */

interface Emoji {
  name: string;
  unified: string;
  short_names: string[];
  category: string;
  sort_order: number;
}

const target = fileURLToPath(new URL('../../../shared/model/src/emoji/unicode-names.json', import.meta.url));

const require = createRequire(import.meta.url);
// Safe: the version is pinned, and the test of the table reads all of it.
const emojis = require('emoji-datasource') as Emoji[];

const codeOf = ({ unified }: Emoji) => unified.toLowerCase().replaceAll('-fe0f', '');

const asName = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9+]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');

const shortNames = ({ short_names }: Emoji) =>
  short_names.map((name) => (/^[+-]\d$/.test(name) ? name : asName(name)));

/** The name of a flag's country, which comes before the country's letters. Only flags of countries have one. */
const countryNames = ({ name, category }: Emoji) =>
  category === 'Flags' && name.endsWith(' Flag') ? [asName(name.slice(0, -' Flag'.length))] : [];

const byCode = new Map(
  emojis
    .sort((a, b) => a.sort_order - b.sort_order)
    .map((emoji) => [codeOf(emoji), protocolNames[codeOf(emoji)]?.split(' ') ?? []]),
);
const taken = new Set(Object.values(protocolNames).flatMap((names) => names.split(' ')));
// An emoji's short name takes precedence over another emoji's long name.
for (const namesOf of [countryNames, shortNames, ({ name }: Emoji) => [asName(name)]]) {
  for (const emoji of emojis) {
    for (const name of namesOf(emoji)) {
      if (taken.has(name)) continue;
      taken.add(name);
      byCode.get(codeOf(emoji))?.push(name);
    }
  }
}

const lines = [...byCode].map(([code, names]) => `  ${JSON.stringify(code)}: ${JSON.stringify(names)}`);
await writeFile(target, `{\n${lines.join(',\n')}\n}\n`);
