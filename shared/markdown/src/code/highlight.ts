import { createRequire } from 'node:module';

import type * as Prism from 'prismjs';

import { attributes, escapeHtml } from '../escape.ts';
import { classes } from './classes.ts';
import { knownNames } from './names.ts';

const require = createRequire(import.meta.url);

/**
 * Longer code, and code with longer lines, is not highlighted, because the time that a grammar takes may grow with
 * the square of the length. On 10 000 characters that are made to be slow, slow grammars take up to 0.8 s and others
 * 0.1 s.
 */
const highlightedMax = { length: 10_000, slowLength: 3000, line: 2000 };
const slowGrammars = new Set(
  `apex asciidoc aspnet csharp cshtml css eiffel erb http less markdown markup nasm nginx php php-extras rego sass scss textile
   xquery`.split(/\s+/),
);

interface Language {
  /** The language's name as clients know it. */
  name: string;
  /** The Prism grammar; null if only the name is known. */
  grammar: string | null;
}

interface PrismLanguage {
  title?: string;
  alias?: string | string[];
  aliasTitles?: Record<string, string>;
}

let languages: Map<string, Language> | undefined;

function findLanguage(written: string): Language | undefined {
  languages ??= listLanguages();
  return languages.get(written.toLowerCase());
}

function listLanguages(): Map<string, Language> {
  // Safe: the version is pinned, and the test of the names reads all of the file.
  const listed = (require('prismjs/components.json') as { languages: Record<string, PrismLanguage> })
    .languages;
  const byName = new Map<string, Language>();
  for (const [grammar, { title, alias = [], aliasTitles = {} }] of Object.entries(listed)) {
    if (grammar === 'meta') continue;
    const name = title ?? grammar;
    byName.set(grammar, { name, grammar });
    for (const other of [alias].flat()) byName.set(other, { name: aliasTitles[other] ?? name, grammar });
  }
  for (const [name, grammar, written] of knownNames) {
    for (const other of written.split(' ')) byName.set(other, { name, grammar });
  }
  return byName;
}

/** Loads a grammar, with those it depends on, when it is first needed. */
function loadGrammar(name: string): Prism.Grammar | undefined {
  // Safe: these are the package's own functions, and its types are of the same version.
  const prism = require('prismjs') as typeof Prism;
  if (!prism.languages[name]) {
    const load = require('prismjs/components/') as ((names: string[]) => void) & { silent: boolean };
    load.silent = true;
    load([name]);
  }
  return prism.languages[name];
}

function tokensHtml(tokens: Prism.TokenStream, className: string | undefined): string {
  if (typeof tokens === 'string') {
    const html = escapeHtml(tokens);
    return className === undefined || tokens.trim() === ''
      ? html
      : `<span class="${className}">${html}</span>`;
  }
  if (Array.isArray(tokens)) return tokens.map((token) => tokensHtml(token, className)).join('');
  const names = [tokens.type, ...[tokens.alias ?? []].flat()];
  const own = names.map((name) => (Object.hasOwn(classes, name) ? classes[name] : undefined)).find(Boolean);
  return tokensHtml(tokens.content, own ?? className);
}

function highlight(code: string, grammarName: string | null): string {
  if (grammarName === null) return escapeHtml(code);
  const lengthMax = slowGrammars.has(grammarName) ? highlightedMax.slowLength : highlightedMax.length;
  const isLong =
    code.length > lengthMax || code.split('\n').some(({ length }) => length > highlightedMax.line);
  if (isLong) return escapeHtml(code);
  const grammar = loadGrammar(grammarName);
  if (!grammar) return escapeHtml(code);
  const prism = require('prismjs') as typeof Prism;
  return tokensHtml(prism.tokenize(code, grammar), undefined);
}

/** The program that a script's first line names: `#!/bin/sh`, `#!/usr/bin/env -S python3 -u`, `#!python`. */
const interpreter = /^#! *(?:\S*\/)?(?:env +(?:-\S+ +|\w+=\S* +)*(?:\S*\/)?)?([\w+\-.]+)/;

function findScriptLanguage(code: string): Language | undefined {
  const [, name] = interpreter.exec(code.slice(0, highlightedMax.line)) ?? [];
  if (name === undefined) return undefined;
  return findLanguage(name) ?? findLanguage(name.replace(/[\d.]+$/, ''));
}

/**
 * Returns the HTML of a code block, highlighted if its language is known. Where none is written, the first line of a
 * script names it; clients are told only what was written.
 */
export function codeHtml(code: string, written: string): string {
  const language = written === '' ? findScriptLanguage(code) : findLanguage(written);
  const name = written === '' ? undefined : (language?.name ?? written);
  const html = code === '' ? '' : `${highlight(code, language?.grammar ?? null)}\n`;
  return `<div class="codehilite"${attributes({ 'data-code-language': name })}><pre><span></span><code>${html}</code></pre></div>`;
}
