import { type Node, Visitor, parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

import { type SourceFile, filesIn, isTest, sourceFile } from './source-files.ts';

/** Attributes whose values nobody reads. */
const technical = new Set(['class', 'rel', 'type', 'autocomplete', 'accept', 'style']);

/** Names of keys, of the platform, of brands and of search operators, which are the same in every language. */
const names =
  /^(?:Enter|Escape|Tab|Backspace|Home|End|Arrow\w+|Page(?:Up|Down)|Space|(?:Ctrl|Alt|Shift)\+.*|Notification|Files|Google|Twitter|Slack|Mattermost|Rocket\.Chat|Zulip|Parley|noopener noreferrer|has:reaction sender:me)$/;

/** Whether a literal looks like language: it begins with a capitalized word, or words follow each other in it. */
const isProse = (text: string) =>
  !names.test(text) && !text.startsWith('<') && /^\p{Lu}\p{Ll}|^ \p{L}|\p{L}[.:]? \p{L}/u.test(text);

/** Literals of a file that somebody can read, as `path: text`. */
function textsIn({ path, text }: SourceFile): string[] {
  const found: { start: number; text: string }[] = [];
  const exempt: Node[] = [];
  const add = (node: Node, value: string) => found.push({ start: node.start, text: value });
  new Visitor({
    JSXText: (node) => void (/\p{L}/u.test(node.value) && add(node, node.value.trim())),
    Literal: (node) => void (typeof node.value === 'string' && isProse(node.value) && add(node, node.value)),
    TemplateElement: (node) => void (isProse(node.value.raw) && add(node, node.value.raw)),
    JSXAttribute(node) {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      if (technical.has(name)) exempt.push(node);
      else if (/^(?:aria-label|title|placeholder|alt)$/.test(name) && node.value?.type === 'Literal') {
        if (/^\p{Ll}/u.test(String(node.value.value))) add(node, String(node.value.value));
      }
    },
    // A bug is described to those who mend it.
    NewExpression: (node) =>
      void (node.callee.type === 'Identifier' && node.callee.name === 'Error' && exempt.push(node)),
    TSLiteralType: (node) => void exempt.push(node),
    TaggedTemplateExpression: (node) => void exempt.push(node),
  }).visit(parseSync(path, text).program);
  return found
    .filter(({ start }) => !exempt.some((node) => node.start <= start && start < node.end))
    .map((one) => `${path}: ${one.text}`);
}

/** Code of the server that writes to people. Pages say in plain literals what they log and refuse. */
const speaking: { folder: string; only?: RegExp; literals: boolean }[] = [
  { folder: 'services/worker/src/mail', literals: true },
  { folder: 'services/worker/src/notifications', literals: true },
  { folder: 'services/api/src/pages', literals: false },
  { folder: 'shared/actions/src', only: /\/(?:notices|welcome|report|text)\.ts$/, literals: false },
];

/** Texts of such a file that somebody can read, as `path: text`. What is in tags of HTML nobody does. */
function serverTextsIn({ path, text }: SourceFile, literals = true): string[] {
  const found: { start: number; text: string }[] = [];
  const exempt: Node[] = [];
  const add = (start: number, value: string) => {
    const read = value.replace(/<[^<>]*>/g, '').trim();
    const isTechnical = /^(?:[A-Z][a-z]+-)+[A-Z][\w=-]+$|^[a-z-]+:\S|^p br /.test(read);
    if (!isTechnical && isProse(read)) found.push({ start, text: read });
  };
  const addLiteral = (node: Node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.start, node.value);
  };
  new Visitor({
    Literal: (node) => void (literals && addLiteral(node)),
    Property: ({ key, value }) =>
      void (!literals && key.type === 'Identifier' && key.name === 'title' && addLiteral(value)),
    TemplateLiteral: (node) => add(node.start, node.quasis.map(({ value }) => value.raw).join('\0')),
    NewExpression: (node) =>
      void (node.callee.type === 'Identifier' && node.callee.name.endsWith('Error') && exempt.push(node)),
    TaggedTemplateExpression: (node) =>
      void (node.tag.type === 'Identifier' && node.tag.name === 'sql' && exempt.push(node)),
    TSLiteralType: (node) => void exempt.push(node),
  }).visit(parseSync(path, text).program);
  return found
    .filter(({ start }) => !exempt.some((node) => node.start <= start && start < node.end))
    .map((one) => `${path}: ${one.text}`);
}

const isCatalogue = ({ path }: SourceFile) => path.startsWith('services/web/src/strings/');
const client = filesIn('services/web/src').filter((file) => !isTest(file));

describe('what people read in the web client', () => {
  test('every text is in the catalogue', () => {
    const code = client.filter((file) => !isCatalogue(file));
    expect(code.length).toBeGreaterThan(150);
    expect(code.flatMap(textsIn), 'move it to services/web/src/strings').toEqual([]);
  });

  test('the catalogue depends on no other folder of the client', () => {
    const imports = client.filter(isCatalogue).flatMap((file) => file.imports);
    expect(imports.filter((name) => !/^\.\/|^@parley\/(?:client|strings)$/.test(name))).toEqual([]);
  });

  test.each([
    ['const a = <p>Hello</p>;', ['Hello']],
    ["const a = <i aria-label='more' class='a b' />;", ['more']],
    ["toast('Copied.'); throw new Error('Not so');", ['Copied.']],
    ["const a = `${one} and ${two}`; on('keydown', 'Enter');", [' and ']],
  ])('the texts of %s are found', (code, texts) => {
    expect(textsIn(sourceFile('a.tsx', code))).toEqual(texts.map((text) => `a.tsx: ${text}`));
  });
});

describe('what people read of the server', () => {
  test.each(speaking)('every text of $folder is in the catalogue', ({ folder, only, literals }) => {
    const files = filesIn(folder).filter((file) => !isTest(file) && (only?.test(file.path) ?? true));
    expect(files.length).toBeGreaterThan(2);
    expect(
      files.flatMap((file) => serverTextsIn(file, literals)),
      'move it to shared/strings',
    ).toEqual([]);
  });

  test.each([
    ["subject: 'Your week';", ['Your week']],
    ['const a = `<p class="one two">Open ${name} now</p>`;', ['Open \0 now']],
    ['const a = html`<button>Join</button>`;', ['Join']],
    ["headers: { 'List-Unsubscribe': `<${url}>` }; throw new Error('Not so');", []],
  ])('the texts of %s are found', (code, texts) => {
    expect(serverTextsIn(sourceFile('a.ts', code))).toEqual(texts.map((text) => `a.ts: ${text}`));
  });

  test('the titles of pages are found, and what is logged is not', () => {
    const code = "const page = { title: 'Invitation' }; log.info('invitation accepted');";
    expect(serverTextsIn(sourceFile('a.ts', code), false)).toEqual(['a.ts: Invitation']);
  });
});
